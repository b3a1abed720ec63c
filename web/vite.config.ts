import { defineConfig } from 'vite';

// The server's content security policy allows files of its own origin only: no inline scripts, styles or data URLs.
export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8765', '/metrics': 'http://127.0.0.1:8765' } },
});
