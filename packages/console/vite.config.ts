import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './mantine-styles';

export default defineConfig({
  plugins: [react(), mantineStyles(import.meta.dirname)],
  // The listener replaces it by a new nonce in each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    // Inlined images would need a policy that allows data: URLs.
    assetsInlineLimit: 0,
    target: 'es2022',
    // test/service/console/bundle.test.ts reads it.
    manifest: true,
    chunkSizeWarningLimit: 1200,
  },
  // `npx vite` in this folder serves the sources, with the API of a local service.
  server: { proxy: { '/studio': { target: 'http://127.0.0.1:8081', changeOrigin: false } } },
});
