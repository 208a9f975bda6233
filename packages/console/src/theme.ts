import { createTheme, Modal, Notification, Textarea, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // White on it can be read in both colours: on a lighter one, in the dark, it cannot.
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  components: {
    // It goes by itself, and nothing that lies below it has to wait for that.
    Notification: Notification.extend({ defaultProps: { withCloseButton: false } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Textarea: Textarea.extend({ defaultProps: { autosize: true, minRows: 2 } }),
  },
});

/** Mantine's own red, yellow and grey text is too pale to be read: here each has a contrast of 4.5 to 1 and more. */
export const readable: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-red-filled': colors.red[9],
    '--mantine-color-red-filled-hover': colors.red[9],
    '--mantine-color-red-outline': colors.red[9],
    '--mantine-color-red-light-color': colors.red[9],
    '--mantine-color-yellow-light-color': colors.dark[7],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[0],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[3],
    '--mantine-color-red-filled': colors.red[9],
    '--mantine-color-red-filled-hover': colors.red[9],
    '--mantine-color-red-outline': colors.red[3],
    '--mantine-color-red-light-color': colors.red[2],
  },
});
