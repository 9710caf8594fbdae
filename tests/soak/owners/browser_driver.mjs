// Opens pages in a headless Chromium: a JSON object a line on stdin (file, scheme, width), what the page did a
// line on stdout. Arguments: the folders of puppeteer-core and @sparticuz/chromium; with "unpack", it only unpacks
// the browser, which a private network does not allow.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const imported = (path) => import(pathToFileURL(path).href).then((module) => module.default);
const chromium = await imported(`${process.argv[3]}/build/esm/index.js`);
const executablePath = await chromium.executablePath();
if (process.argv[4] === "unpack") process.exit(0);
const puppeteer = await imported(`${process.argv[2]}/lib/esm/puppeteer/puppeteer-core.js`);
const browser = await puppeteer.launch({ args: chromium.args, executablePath, headless: "shell" });

async function open({ file, scheme, width }) {
  const page = await browser.newPage();
  const url = pathToFileURL(file).href;
  const happened = [];
  for (const event of ["console", "pageerror", "dialog", "popup", "framenavigated"]) {
    page.on(event, () => happened.push(event));
  }
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(url);
  const seen = await page.evaluate(() => ({
    title: document.title,
    background: getComputedStyle(document.body).backgroundColor,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    drawings: [...document.querySelectorAll("svg")].filter((each) => each.getBoundingClientRect().height > 0).length,
    acting: document.querySelectorAll("script, iframe, object, embed, img, form, link, base").length,
    text: document.body.innerText.length,
  }));
  await page.close();
  return { ...seen, happened: happened.slice(1), foreign: requests.filter((each) => each !== url) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await open(JSON.parse(line)))}\n`);
}
await browser.close();
