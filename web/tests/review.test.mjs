// Review with the keyboard alone. Each test looks at what the service stored.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { documents } from './documents.mjs';
import { missing, openPage, startBrowser, startService } from './service.mjs';

describe('review', { skip: missing() }, () => {
  let service;
  let browser;
  before(async () => {
    service = await startService(documents.filter(({ id }) => /^(news|chain|pair\/[0-3])\//.test(id)));
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });
  const stored = async () => (await service.api('/v1/decisions')).decisions;
  const summary = async () => (await stored()).map(({ kind, a, b }) => [kind, a, b].filter((part) => part !== null).join(' '));
  const clusterOf = async (id) => (await service.api(`/v1/documents/${encodeURIComponent(id)}`)).cluster;
  const keptOf = async (id) => (await service.api(`/v1/clusters/${await clusterOf(id)}`)).kept;
  beforeEach(async () => {
    for (const { id } of (await stored()).reverse()) await service.api(`/v1/decisions/${id}`, undefined, 'DELETE');
  });

  const reviewing = (name, id, work) =>
    test(name, async () => {
      const { page, complaints, close } = await openPage(browser, service.base);
      await page.goto(`/review/${await clusterOf(id)}`);
      await page.locator('.diff').waitFor();
      await work(page);
      await close();
      assert.deepEqual(complaints, []);
    });
  const current = (page) => page.locator('.member.current .key').innerText();
  // Waits for the event that a key leads to, never for a time.
  const says = (page, words) => page.locator('.notice', { hasText: words }).waitFor();

  reviewing('j and k go from the most different document to the most similar one', 'news/1', async (page) => {
    const order = [await current(page)];
    for (let step = 0; step < 2; step += 1) {
      await page.keyboard.press('j');
      order.push(await current(page));
    }
    assert.deepEqual(order, ['news/3', 'news/2', 'news/4']);
    await page.keyboard.press('k');
    assert.equal(await current(page), 'news/2');
  });

  reviewing('y and n record decisions with the author and go on', 'news/1', async (page) => {
    await page.getByLabel('Decided by').fill('Ada');
    await page.locator('h1').click();
    await page.keyboard.press('y');
    await says(page, 'Same: recorded.');
    await page.keyboard.press('n');
    await says(page, 'Not the same: recorded.');
    assert.equal(await current(page), 'news/4');
    assert.deepEqual(await summary(), ['same news/1 news/3', 'separate news/1 news/2']);
    assert.ok((await stored()).every(({ author }) => author === 'Ada'));
    assert.match(await page.locator('.review-head').innerText(), /2 of 3 pairs decided/);
  });

  reviewing('u withdraws the last action and goes back to it', 'news/1', async (page) => {
    await page.keyboard.press('n');
    await says(page, 'Not the same: recorded.');
    await page.keyboard.press('u');
    await says(page, 'Undone');
    assert.deepEqual(await stored(), []);
    assert.equal(await current(page), 'news/3');
  });

  reviewing('a changed mind leaves one decision, and undo restores the first', 'news/1', async (page) => {
    await page.keyboard.press('n');
    await says(page, 'Not the same: recorded.');
    await page.keyboard.press('k');
    await page.keyboard.press('y');
    await says(page, 'Same: recorded.');
    assert.deepEqual(await summary(), ['same news/1 news/3']);
    await page.keyboard.press('u');
    await says(page, 'Undone');
    assert.deepEqual(await summary(), ['separate news/1 news/3']);
  });

  reviewing('s shows what it would do, does nothing when cancelled, and then makes one decision a pair', 'chain/a', async (page) => {
    assert.equal(await current(page), 'chain/c');
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Split 1 document from the other 2' });
    await dialog.waitFor();
    assert.equal(await dialog.locator('.preview li').count(), 2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), []);
    await page.keyboard.press('s');
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await says(page, '2 decisions recorded');
    assert.deepEqual(await summary(), ['separate chain/c chain/a', 'separate chain/c chain/b']);
    assert.notEqual(await clusterOf('chain/c'), await clusterOf('chain/a'));
    await page.keyboard.press('u');
    await says(page, 'Undone');
    assert.equal(await clusterOf('chain/c'), await clusterOf('chain/a'));
  });

  reviewing('x marks documents, which are split off together', 'news/1', async (page) => {
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: 'Split 2 documents from the other 2' }).waitFor();
    await page.keyboard.press('Enter');
    await says(page, '4 decisions recorded');
    assert.deepEqual((await summary()).sort(), ['separate news/2 news/1', 'separate news/2 news/4', 'separate news/3 news/1', 'separate news/3 news/4']);
  });

  reviewing('Y accepts all undecided documents after a preview', 'news/1', async (page) => {
    await page.keyboard.press('y');
    await says(page, 'Same: recorded.');
    await page.keyboard.press('Shift+Y');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await says(page, '2 decisions recorded');
    assert.equal((await summary()).length, 3);
  });

  reviewing('K changes the kept document, and u changes it back', 'news/1', async (page) => {
    await page.keyboard.press('Shift+K');
    await page.locator('.pane-title', { hasText: 'news/3' }).waitFor();
    assert.equal(await keptOf('news/1'), 'news/3');
    await page.keyboard.press('u');
    await page.locator('.pane-title', { hasText: 'news/1' }).waitFor();
    assert.equal(await keptOf('news/1'), 'news/1');
  });

  reviewing('m writes a note, in which keys are letters', 'news/1', async (page) => {
    await page.keyboard.press('m');
    await page.getByRole('dialog', { name: 'Note' }).waitFor();
    await page.keyboard.type('any unusual key: jkynsKmu?');
    await page.keyboard.press('Control+Enter');
    await page.locator('.notes', { hasText: 'any unusual key: jkynsKmu?' }).waitFor();
    assert.deepEqual((await stored()).map(({ kind, a, note }) => [kind, a, note]), [['note', 'news/3', 'any unusual key: jkynsKmu?']]);
  });

  reviewing('the next and the previous cluster are a key away', 'pair/0/a', async (page) => {
    const first = page.url();
    await page.keyboard.press(']');
    await page.waitForURL((url) => url.href !== first);
    await page.locator('.diff').waitFor();
    await page.keyboard.press('[');
    await page.waitForURL(first);
  });

  reviewing('a decision that the service refuses is reported and not shown', 'news/1', async (page) => {
    await page.route('**/v1/decisions', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ code: 'read_only', title: 'Read-only', detail: 'the disk is full' }) })
        : route.continue(),
    );
    await page.keyboard.press('n');
    await says(page, 'Not recorded: the disk is full');
    assert.equal(await page.locator('.tag-separate').count(), 0);
    assert.equal(await current(page), 'news/3');
  });

  reviewing('a bulk action that fails in between says how far it came, and that part can be undone', 'chain/a', async (page) => {
    let requests = 0;
    const refusal = { status: 503, contentType: 'application/problem+json', body: JSON.stringify({ code: 'read_only', title: 'Read-only', detail: 'the disk is full' }) };
    await page.route('**/v1/decisions', (route) => {
      if (route.request().method() === 'POST') requests += 1;
      return requests === 2 ? route.fulfill(refusal) : route.continue();
    });
    await page.keyboard.press('s');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await says(page, 'the disk is full (1 of 2 decisions recorded)');
    assert.equal((await stored()).length, 1);
    await page.unroute('**/v1/decisions');
    await page.keyboard.press('u');
    await says(page, 'Undone');
    assert.deepEqual(await stored(), []);
  });

  test('review without a cluster opens the first one', async () => {
    const { page, close } = await openPage(browser, service.base);
    await page.goto('/review');
    await page.waitForURL(/\/review\/\d+$/);
    await page.locator('.diff').waitFor();
    await close();
  });
});
