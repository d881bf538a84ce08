"""The real workflow files, read by GitHub's own parser, under the forge's rules and infx's real decisions."""
