"""Forecasting decay, and carrying it out."""
