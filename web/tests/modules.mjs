// Loads modules of the page, which are TypeScript, into a test.
import { createServer } from 'vite';

const root = new URL('..', import.meta.url).pathname;

export async function withModules(work) {
  const server = await createServer({ root, logLevel: 'error', server: { middlewareMode: true, watch: null }, optimizeDeps: { noDiscovery: true } });
  try {
    return await work((path) => server.ssrLoadModule(path));
  } finally {
    await server.close();
  }
}
