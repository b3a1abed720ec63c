// The page in a browser, on a service and an index.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { documents } from './documents.mjs';
import { missing, openPage, startBrowser, startService } from './service.mjs';

describe('the page', { skip: missing() }, () => {
  let service;
  let browser;
  before(async () => {
    service = await startService(documents);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  // Runs a test on a fresh page and demands that the browser had nothing to complain about.
  const onPage = (name, work, options = {}) =>
    test(name, async () => {
      const { page, complaints, close } = await openPage(browser, service.base, options);
      await work(page);
      await close();
      assert.deepEqual(complaints, []);
    });
  const clusterOf = async (id) => (await service.api(`/v1/documents/${encodeURIComponent(id)}`)).cluster;
  const heading = (page) => page.locator('h1').innerText();

  onPage('every view opens by its address', async (page) => {
    const cluster = await clusterOf('news/1');
    const views = {
      '/': 'Overview',
      '/clusters': 'Clusters',
      [`/clusters/${cluster}`]: `Cluster ${cluster}`,
      '/documents?key=news%2F1': 'news/1',
      [`/review/${cluster}`]: 'Review',
      '/decisions': 'Decisions',
      '/try': 'Try it',
      '/nothing/here': 'Not found',
    };
    for (const [path, title] of Object.entries(views)) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      assert.equal(await heading(page), title, path);
    }
  });

  onPage('the overview shows the counts of the index and follows them', async (page) => {
    await page.goto('/');
    const value = page.locator('.tile', { hasText: 'Documents' }).locator('.tile-value').first();
    await value.waitFor();
    const { documents: count } = await service.api('/v1/stats');
    assert.equal(await value.innerText(), String(count));
    await service.api('/v1/add', { id: 'added later', text: 'words that no other document has at all' });
    await page.getByText(String(count + 1), { exact: true }).waitFor();
    await service.api('/v1/remove', { ids: ['added later'] });
    await page.locator('.uplot canvas').first().waitFor();
    await page.getByRole('table', { name: 'Clusters by number of documents' }).waitFor();
  });

  onPage('clusters are paged, forward and back', async (page) => {
    const keys = () => page.locator('.list .key-cell').allInnerTexts();
    await page.goto('/clusters');
    await page.locator('.list').waitFor();
    const first = await keys();
    assert.equal(first.length, 50);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    const second = await keys();
    assert.ok(second.every((key) => !first.includes(key)));
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByText('Page 1').waitFor();
    assert.deepEqual(await keys(), first);
  });

  onPage('clusters are filtered by size and sorted', async (page) => {
    await page.goto('/clusters');
    await page.getByLabel('At least').selectOption('3');
    await page.waitForURL(/min=3/);
    await page.getByLabel('Sort this page').selectOption('largest');
    await page.getByRole('row', { name: /news\/1/ }).waitFor();
    const sizes = (await page.locator('.list tbody td:first-child').allInnerTexts()).map(Number);
    assert.deepEqual(sizes, [4, 3]);
  });

  onPage('a key leads to its cluster, and an unknown key says so', async (page) => {
    await page.goto('/clusters');
    const box = page.getByLabel('Key of a document');
    await box.fill('no such key');
    await box.press('Enter');
    await page.getByRole('alert').waitFor();
    await box.fill('news/3');
    await box.press('Enter');
    await page.waitForURL(new RegExp(`/clusters/${await clusterOf('news/3')}\\?member=news`));
  });

  onPage('a cluster shows its members with their scores and the diff of the service', async (page) => {
    await page.goto(`/clusters/${await clusterOf('news/1')}?member=news/2`);
    await page.locator('.diff-row').first().waitFor();
    const members = await page.locator('.members li').allInnerTexts();
    const scores = Object.fromEntries(members.map((entry) => entry.split(/\s+/)));
    assert.deepEqual(scores, { 'news/1': 'kept', 'news/2': '0.9502', 'news/3': '0.9029', 'news/4': '1.0000' });
    assert.deepEqual(await page.locator('.diff-row ins').allInnerTexts(), ['changed100']);
    assert.equal((await page.locator('.diff-row del').allInnerTexts()).length, 1);
    assert.match(await page.locator('.verdict').innerText(), /Near-duplicates jaccard 0\.9502 ≥ 0\.8 on words:5/);
    const measures = await page.locator('.measures tbody tr').allInnerTexts();
    assert.match(measures[0], /jaccard.*191\/201/s);
  });

  onPage('a member that only others link names them', async (page) => {
    await page.goto(`/clusters/${await clusterOf('chain/c')}?member=chain/c`);
    const why = page.locator('.why');
    await why.getByRole('link', { name: 'chain/b' }).waitFor();
    assert.match(await why.innerText(), /Not itself a near-duplicate.*chain\/b.*0\.8578/s);
    await why.getByRole('link', { name: 'chain/b' }).click();
    await page.getByText('jaccard 0.8578 ≥ 0.8').waitFor();
  });

  onPage('bits and weights of the simhashes are shown', async (page) => {
    await page.goto(`/clusters/${await clusterOf('news/1')}?member=news/3`);
    await page.getByText('Simhash bits and their weights').click();
    const { differing_bits: bits } = await service.api('/v1/compare', { a: { id: 'news/1' }, b: { id: 'news/3' } });
    assert.equal(await page.locator('.weights tbody tr').count(), bits.length);
    assert.equal(await page.locator('.bits-strip .differs').count(), 2 * bits.length);
  });

  test('an index of simhashes says what decides, and shows the bits at once', async () => {
    const codes = await startService(documents.slice(0, 4), ['--measure', 'hamming', '--distance', '8']);
    const { page, complaints, close } = await openPage(browser, codes.base);
    const { cluster } = await codes.api('/v1/documents/news%2F2');
    await page.goto(`/clusters/${cluster}?member=news/2`);
    await page.locator('.bits-strip').first().waitFor();
    assert.match(await page.locator('.why').innerText(), /chosen simhash can be forged/);
    assert.match(await page.locator('.verdict').innerText(), /hamming \d+ ≤ 8/);
    await close();
    await codes.stop();
    assert.deepEqual(complaints, []);
  });

  onPage('two pasted texts are compared by every measure', async (page) => {
    await page.goto('/try');
    await page.getByLabel('Left').fill('one two three four five six');
    await page.getByLabel('Right').fill('one two three four five seven');
    await page.keyboard.press('Control+Enter');
    await page.locator('.measures').waitFor();
    const names = (await page.locator('.measures tbody th').allInnerTexts()).map((name) => name.split(/\s/)[0]);
    for (const name of ['jaccard', 'cosine', 'dice', 'overlap', 'edit', 'hamming']) assert.ok(names.includes(name), name);
    assert.match(await page.locator('.verdict').innerText(), /Different jaccard 0\.3333 < 0\.8/);
    assert.deepEqual(await page.locator('.diff-row ins').allInnerTexts(), ['seven']);
  });

  onPage('a pasted text is looked up in the index', async (page) => {
    await page.goto('/try?mode=index');
    await page.getByLabel('Text').fill(documents[1].text);
    await page.getByRole('button', { name: 'Have I seen this?' }).click();
    await page.getByText('Seen before.').waitFor();
    assert.match(await page.locator('.matches li').first().innerText(), /news\/2\s+1\.0000/);
    await page.getByLabel('Text').fill('something entirely new that nobody wrote before');
    await page.getByRole('button', { name: 'Have I seen this?' }).click();
    await page.getByText('New.').waitFor();
  });

  onPage('decisions are exported as JSON lines and withdrawn', async (page) => {
    const { id } = await service.api('/v1/decisions', { kind: 'note', a: 'alone', note: 'a\nnote', author: 'Ada' });
    await page.goto('/decisions');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Export/ }).click();
    const lines = readFileSync(await (await download).path(), 'utf8').trim().split('\n');
    assert.deepEqual(lines.map((line) => JSON.parse(line)), (await service.api('/v1/decisions')).decisions);
    await page.getByRole('button', { name: `Withdraw decision ${id}` }).click();
    await page.getByText('No decisions yet').waitFor();
  });

  onPage('the theme can be chosen and stays', async (page) => {
    await page.goto('/try');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByLabel('Colours').selectOption('dark');
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    await page.locator('h1').waitFor();
    assert.equal(await ground(), dark);
  });

  onPage('nothing is wider than a telephone', async (page) => {
    const cluster = await clusterOf('news/1');
    for (const path of ['/', '/clusters', `/clusters/${cluster}`, `/review/${cluster}`, '/decisions', '/try', '/documents?key=long%2F1']) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${path}: ${width}`);
    }
  }, { viewport: { width: 390, height: 800 } });
});
