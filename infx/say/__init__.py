"""Every sentence that the bot posts, rendered from state: English first, Chinese in a fold."""
