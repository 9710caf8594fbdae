"""What every command needs: opening the workspace, output, errors."""
