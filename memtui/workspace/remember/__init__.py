"""What an agent's write meets (S-85), and keeping the policies that it is judged by (S-61)."""
