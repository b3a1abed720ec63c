// report.html in a browser: it draws itself from a file, tells no lies about what the run found, and runs nothing from documents.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { attacks } from './documents.mjs';
import { browserPath, openPage, program, startBrowser } from './service.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const missing = !existsSync(program) ? `there is no program ${program}` : !existsSync(browserPath) ? `there is no browser ${browserPath}` : false;

const words = (from, count) => Array.from({ length: count }, (_, i) => `w${from + i}`).join(' ');

describe('report.html', { skip: missing }, () => {
  let folder;
  let browser;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'neardup-report-'));
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  // The page of a run, open.
  let runs = 0;
  async function open(documents, flags = [], options = {}) {
    const input = join(folder, `in${++runs}.jsonl`);
    writeFileSync(input, documents.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join(''));
    const out = join(folder, `out${runs}`);
    const made = spawnSync(program, ['dedup', input, '-o', out, '--quiet', ...flags], { encoding: 'utf8' });
    assert.ok(made.status <= 1, made.stderr);
    const file = join(out, 'report.html');
    assert.ok(statSync(file).size <= 5_000_000);
    const opened = await openPage(browser, 'null', options);
    opened.page.on('requestfailed', (request) => opened.complaints.push(`failed: ${request.url()}`));
    await opened.page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => (window.violations = [...(window.violations ?? []), event.violatedDirective]));
    });
    await opened.page.goto(pathToFileURL(file).href);
    return { ...opened, out, record: JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) };
  }
  // A request for the page itself is none for anything else.
  const others = (complaints) => complaints.filter((each) => !/^request: file:.*report\.html$/.test(each));
  const cluster = [0, 1, 2, 3].map((i) => ({ id: `c${i}`, text: `${words(0, 60)} ${i === 0 ? 'end' : `end ${words(1000 * i, i)}`}` }));
  const lone = [0, 1, 2].map((i) => ({ id: `l${i}`, text: words(10_000 * (i + 1), 40) }));

  test('shows what came in and what was removed', async () => {
    const { page, complaints, close, record } = await open([...cluster, ...lone, 'not json'], ['--threshold', '0.7']);
    assert.equal(await page.locator('h1').innerText(), `${record.removed} of 7 documents removed (${((100 * record.removed) / 7).toFixed(1)}%)`);
    assert.match(await page.locator('.lead').innerText(), /Jaccard similarity of their runs of 5 words is at least 0\.7/);
    const text = await page.locator('main').innerText();
    for (const expected of ['Recall: 100%', 'The largest clusters', 'Records that could not be read', 'in1.jsonl:8', 'neardup dedup', '--threshold 0.7']) assert.ok(text.includes(expected), expected);
    assert.ok((await page.locator('ins').count()) > 0, 'added words are marked');
    await close();
    assert.deepEqual(others(complaints), []);
  });

  test('the slider says what a run with that threshold finds', async () => {
    const documents = [...cluster, ...lone];
    const { page, complaints, close, out } = await open(documents, ['--threshold', '0.7']);
    const slider = page.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    assert.equal(await page.locator('.slider output').innerText(), '≥ 1.00');
    const removed = page.locator('.changes tr', { hasText: 'Removed documents' }).locator('td').nth(1);
    assert.equal(await removed.innerText(), '0');
    for (let presses = 0; (await page.locator('.slider output').innerText()) !== '≥ 0.95'; ++presses) {
      assert.ok(presses < 200);
      await page.keyboard.press('ArrowLeft');
    }
    const again = join(folder, 'again');
    spawnSync(program, ['dedup', `${out.replace('out', 'in')}.jsonl`, '-o', again, '--quiet', '--force', '--threshold', '0.95']);
    const record = JSON.parse(readFileSync(join(again, 'run.json'), 'utf8'));
    assert.equal(await removed.innerText(), String(record.removed));
    await page.keyboard.press('Home');
    assert.equal(await page.locator('.slider .badge').innerText(), 'sampled');
    await close();
    assert.deepEqual(others(complaints), []);
  });

  test('plots can be read with the keyboard and the mouse', async () => {
    const { page, close } = await open([...cluster, ...lone], ['--threshold', '0.7']);
    const plot = page.getByRole('img', { name: /Number of clusters by size/ });
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    const readout = plot.locator('xpath=following-sibling::p');
    assert.match(await readout.innerText(), /1 cluster of \d documents/);
    await page.getByRole('img', { name: /Removed documents by score/ }).hover();
    assert.match(await page.getByRole('img', { name: /Removed documents by score/ }).locator('xpath=following-sibling::p').innerText(), /Score .*document/);
    await close();
  });

  test('hostile texts and ids are shown as text and run nothing', async () => {
    const hostile = attacks.flatMap((attack, i) => [0, 1].map((copy) => ({ id: `${attack} ${copy}`, text: `${attack} ${words(100 * i, 30)} ${copy ? attack : ''}` })));
    hostile.push({ id: 'rtl/\u202egpj.exe', text: `\u202e\u0000 ${words(5000, 30)}` }, { id: 'rtl 2', text: `\u202e\u0000 ${words(5000, 30)} more` });
    hostile.push({ id: 'long', text: 'x'.repeat(1 << 20) }, { id: 'long 2', text: 'x'.repeat(1 << 20) });
    const { page, complaints, close } = await open(hostile, ['--threshold', '0.5', '--features', 'words']);
    await page.locator('details').evaluateAll((all) => all.forEach((each) => (each.open = true)));
    await page.waitForTimeout(200);
    const found = await page.evaluate(() => ({ executed: window.executed, violations: window.violations, elements: document.querySelectorAll('iframe, object, embed, img, video, audio, math, form, link').length, scripts: document.scripts.length, wide: document.documentElement.scrollWidth > innerWidth }));
    assert.deepEqual(found, { executed: undefined, violations: undefined, elements: 0, scripts: 2, wide: false });
    const text = await page.locator('main').innerText();
    assert.ok(text.includes('U+202E') && !text.includes('\u202e'), 'a character that reorders is named');
    await close();
    assert.deepEqual(others(complaints), []);
  });

  test('meets WCAG AA, light, dark and narrow', async () => {
    for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { viewport: { width: 380, height: 800 } }]) {
      const { page, close } = await open([...cluster, ...lone, 'not json'], ['--threshold', '0.7'], { bypassCSP: true, ...options });
      await page.locator('details').evaluateAll((all) => all.forEach((each) => (each.open = true)));
      await page.waitForTimeout(250); // what opens fades in
      await page.addScriptTag({ content: axe });
      const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }));
      assert.deepEqual(violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`), [], JSON.stringify(options));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      await close();
    }
  });

  test('other measures, no near-duplicates, and an empty result are pages, too', async () => {
    const runsOf = [
      [[...cluster, ...lone], ['--measure', 'hamming', '--distance', '8']],
      [[...cluster, ...lone], ['--measure', 'edit', '--distance', '20']],
      [[...cluster, ...lone], ['--measure', 'overlap', '--threshold', '30']],
      [[...cluster, ...lone], ['--finder', 'minhash', '--clusters', 'star', '--threshold', '0.7']],
      [lone, []],
      [[{ id: 'e', text: '' }, { id: 'f', text: '' }], ['--drop-empty']],
    ];
    for (const [documents, flags] of runsOf) {
      const { page, complaints, close } = await open(documents, flags);
      await page.getByText('How to repeat this run').waitFor();
      const slider = page.getByRole('slider');
      if ((await slider.count()) > 0) {
        await slider.focus();
        for (const key of ['End', 'Home', 'ArrowRight']) await page.keyboard.press(key);
      }
      const text = await page.locator('body').innerText();
      for (const slip of ['undefined', 'NaN', '[object', 'null']) assert.ok(!text.includes(slip), `${flags}: ${slip}`);
      await close();
      assert.deepEqual(others(complaints), [], String(flags));
    }
  });

  test('pairs have a page, too', async () => {
    const input = join(folder, 'pairs.jsonl');
    writeFileSync(input, [...cluster, ...lone].map((each) => `${JSON.stringify(each)}\n`).join(''));
    const file = join(folder, 'pairs.html');
    const made = spawnSync(program, ['pairs', input, '--threshold', '0.7', '--report', file, '-o', join(folder, 'pairs.tsv'), '--quiet'], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    const { page, complaints, close } = await openPage(browser, 'null');
    await page.goto(pathToFileURL(file).href);
    const pairs = readFileSync(join(folder, 'pairs.tsv'), 'utf8').trim().split('\n').length - 1;
    assert.equal(await page.locator('h1').innerText(), `${pairs} similar pairs among 7 documents`);
    const text = await page.locator('body').innerText();
    for (const slip of ['undefined', 'NaN', '[object', 'null']) assert.ok(!text.includes(slip), slip);
    await close();
    assert.deepEqual(complaints.filter((each) => !/^request: file:.*pairs\.html$/.test(each)), []);
  });
});
