"""The names of the screens and dialogs that have commands."""

BROWSE, INBOX, REVIEW, GRAPH = "browse", "inbox", "review", "graph"
DECAY, RULES, JOURNAL, STORES = "decay", "rules", "journal", "stores"
EDIT, CONFLICT, HELP, PALETTE = "edit", "conflict", "help", "palette"
ATTACH, RENAME, BACKUPS, PURGE = "attach", "rename", "backups", "purge"
AGENT_VIEW, IMPORT = "agent view", "import"
TRANSFER, RELATE, SPLIT = "copy to", "relate", "split"
SUGGESTIONS, FILTER, SAVE_SEARCH = "suggestions", "filter", "save search"
VIEWS = "views"
EXPORT, EXPORT_TEXT, EXPORT_TO = "export", "export text", "export to"
RULE, RECIPES, TURN_RULE, POLICY = "rule", "recipes", "switch a rule", "policy"
TRUST = "trust a file"
MERGE, BOTH_TRUE, PAIR_FILTER = "merge", "both true", "pair filter"
REPLACE, MATCHES = "replace", "matches"
BULK, SNOOZE, TAGS, REASON, ADD_TO = "bulk", "snooze", "tags", "reason", "add to"
FIND_MEMORY, RELATION_KINDS, RELATION = "find memory", "relation kinds", "relation"
CONNECTIONS = "connections"  # the pane of connected agents, while it has the focus
CONNECT, DISCONNECT = "connect", "disconnect"
DETAIL = "detail"  # the pane of one memory, while it has the focus
ALL = (BROWSE, INBOX, REVIEW, GRAPH, DECAY, RULES, JOURNAL, STORES)
SHOWN = (BROWSE, INBOX, REVIEW, GRAPH, DECAY, RULES, JOURNAL)  # show what the stores hold
LISTS = (BROWSE, DECAY)  # of memories
MEMORY = (*LISTS, GRAPH, INBOX)  # act on memories
PAIR = (REVIEW, INBOX)  # give verdicts on pairs
