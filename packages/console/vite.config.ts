import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The listener puts its nonce here, a new one for each answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    // An image in the text of a script would need a policy that allows data: addresses everywhere.
    assetsInlineLimit: 0,
    target: 'es2022',
    // Of the whole console, which is asked for once: names have hashes in them.
    chunkSizeWarningLimit: 1200,
  },
  // `npx vite` in this folder: the page from its sources, against a service that runs at the usual port.
  server: { proxy: { '/studio': { target: 'http://127.0.0.1:8081', changeOrigin: false } } },
});
