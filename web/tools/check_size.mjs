// Is the built page small enough to embed? Prints the gzipped size of each file and fails above the limit.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const limitBytes = 150_000;
const folder = new URL('../dist/', import.meta.url);
const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
let total = 0;
for (const entry of files) {
  const path = `${entry.parentPath ?? entry.path}/${entry.name}`;
  const size = gzipSync(readFileSync(path), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${path.slice(folder.pathname.length).replace(/^\//, '')}`);
}
console.log(`${String(total).padStart(8)}  bytes gzipped, limit ${limitBytes}`);
if (total > limitBytes) process.exit(1);
