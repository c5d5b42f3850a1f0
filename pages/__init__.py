"""The screens. Every file here is a page; what they share is in `components`."""
