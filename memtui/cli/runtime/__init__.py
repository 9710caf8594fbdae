"""What every command needs: the workspace, output, errors."""
