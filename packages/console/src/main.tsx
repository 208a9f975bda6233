import 'virtual:mantine-styles';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { contrastColors, theme } from './theme';

// The page's policy allows only styles with this nonce, which only scripts of the page can read.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

// A browser may restore a page from its cache, with data of an ended session.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no element for the console');
const { App } = await (location.pathname === '/sign-in' ? import('./session/SignIn') : import('./App'));
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={contrastColors} getStyleNonce={() => nonce}>
      <App />
    </MantineProvider>
  </StrictMode>,
);
