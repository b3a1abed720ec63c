// A real service with a real index, and a real browser, for the time of a test file.
//
// NEARDUP is the program, build/release/neardup unless it is set. CHROMIUM is the browser.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

export const program = process.env.NEARDUP ?? new URL('../../build/release/neardup', import.meta.url).pathname;
export const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Why the tests cannot run here, or false.
export function missing() {
  if (!existsSync(program)) return `there is no program ${program}`;
  if (!existsSync(browserPath)) return `there is no browser ${browserPath}`;
  if (!existsSync(new URL('../dist/index.html', import.meta.url))) return 'the page is not built: make web';
  return false;
}

function waitForAddress(child) {
  return new Promise((resolve, reject) => {
    const said = [];
    const lines = createInterface({ input: child.stderr });
    lines.on('line', (line) => {
      said.push(line);
      const address = / at (http:\/\/[^ ]+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address.replace(/\/$/, ''));
    });
    child.on('exit', (code) => reject(new Error(`neardup serve ended with ${code}: ${said.join('\n')}`)));
  });
}

// `options` are flags of `neardup index create`.
export async function startService(documents, options = []) {
  const folder = mkdtempSync(join(tmpdir(), 'neardup-page-'));
  const index = join(folder, 'index');
  const made = spawnSync(program, ['index', 'create', index, ...options], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`neardup index create: ${made.stderr}`);
  const child = spawn(program, ['serve', index, '--listen', '127.0.0.1:0', '--durability', 'batch', '--access-log', 'off'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const base = await waitForAddress(child);
  const api = async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const response = await fetch(base + path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  for (let place = 0; place < documents.length; place += 50) await api('/v1/add', { documents: documents.slice(place, place + 50) });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { base, api, stop };
}

export function startBrowser() {
  return chromium.launch({ executablePath: browserPath, headless: true, args: browserFlags });
}

// A fresh page whose complaints are collected: errors of scripts, of the console, of the content security policy, and dialogs.
export async function openPage(browser, base, options = {}) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.text().startsWith('Failed to load resource')) return; // an answer with an error status, which tests ask for
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== base && !request.url().startsWith('blob:')) complaints.push(`request: ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}
