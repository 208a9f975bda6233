import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // White text has enough contrast on this shade, also in dark mode.
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { sizes: { h1: { fontSize: '1.625rem', lineHeight: '1.35' } } },
  components: {
    // Names instead of imports: the sign-in page has no dialogs.
    Notification: { defaultProps: { withCloseButton: false } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Textarea: { defaultProps: { autosize: true, minRows: 2 } },
  },
});

/** Mantine's red, yellow and gray text has too little contrast. These colors have at least 4.5 to 1. */
export const contrastColors: CSSVariablesResolver = ({ colors }) => ({
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
