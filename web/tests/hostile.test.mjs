// Documents of strangers, answers that fail, and readers who need more contrast or a screen reader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { attacks, documents } from './documents.mjs';
import { missing, openPage, startBrowser, startService } from './service.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('hostile documents', { skip: missing() }, () => {
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
  const clusterOf = async (id) => (await service.api(`/v1/documents/${encodeURIComponent(id)}?max_text=0`)).cluster;
  const settled = async (page) => {
    await page.locator('h1').waitFor();
    await page.locator('.spinner').first().waitFor({ state: 'detached' });
  };

  test('none of them runs in any view', { timeout: 300_000 }, async () => {
    for (const attack of attacks) await service.api('/v1/decisions', { kind: 'note', a: attack, note: attack, author: attack.slice(0, 100) });
    const { page, complaints, close } = await openPage(browser, service.base);
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        window.violations = [...(window.violations ?? []), `${event.violatedDirective} ${event.blockedURI}`];
      });
    });
    const quiet = async (where) => {
      const found = await page.evaluate(() => ({ executed: window.executed, violations: window.violations, elements: document.querySelectorAll('iframe, object, embed, img, video, audio, math').length }));
      assert.deepEqual(found, { executed: undefined, violations: undefined, elements: 0 }, where);
    };
    for (const attack of attacks) {
      const cluster = await clusterOf(attack);
      const key = encodeURIComponent(attack);
      for (const path of [`/documents?key=${key}`, `/clusters/${cluster}?member=${encodeURIComponent(`${attack} 2`)}&with=${key}`, `/review/${cluster}`]) {
        await page.goto(path);
        await settled(page);
        await page.locator('.document-text, .diff, .state-title').first().waitFor();
        await quiet(path);
      }
    }
    for (const path of ['/', '/clusters', '/decisions']) {
      await page.goto(path);
      await settled(page);
      await quiet(path);
    }
    await page.goto('/try');
    for (const attack of attacks) {
      await page.getByLabel('Left', { exact: true }).fill(`${attack} left`);
      await page.getByLabel('Right', { exact: true }).fill(`${attack} right`);
      const answer = page.waitForResponse('**/v1/compare');
      await page.keyboard.press('Control+Enter');
      await answer;
      await page.locator('.comparison, .state-failed').waitFor();
      await quiet(attack);
    }
    await close();
    assert.deepEqual(complaints, []);
  });

  test('a key that reorders its neighbours is shown with the character named', async () => {
    const { page, close } = await openPage(browser, service.base);
    await page.goto(`/clusters/${await clusterOf('rtl/\u202egpj.exe')}`);
    const key = page.locator('.members .key').first();
    await key.waitFor();
    assert.equal(await key.innerText(), 'rtl/U+202Egpj.exe');
    const isolated = await page.locator('.members .key, .diff-side').evaluateAll((all) => all.every((each) => getComputedStyle(each).unicodeBidi.startsWith('isolate')));
    assert.ok(isolated);
    await close();
  });

  test('a line of a megabyte is shown in pieces', async () => {
    const { page, close } = await openPage(browser, service.base);
    await page.goto('/documents?key=long%2F1');
    const text = page.locator('.document-text');
    const length = async () => (await text.evaluate((element) => element.textContent)).length;
    await text.waitFor();
    assert.equal(await length(), 20_000);
    await page.getByRole('button', { name: 'Show 100,000 more' }).click();
    assert.equal(await length(), 120_000);
    await page.getByRole('button', { name: 'Load all of it' }).click();
    await page.getByText('The page has loaded').waitFor({ state: 'detached' });
    await page.goto(`/clusters/${await clusterOf('long/1')}`);
    await page.locator('.diff-row ins', { hasText: 'changed40000' }).waitFor();
    assert.ok((await page.locator('.diff').evaluate((element) => element.textContent)).length < 5000);
    await close();
  });

  test('failures of the service are explained and can be tried again', async () => {
    const { page, close } = await openPage(browser, service.base);
    const answers = [
      [{ status: 503, contentType: 'application/problem+json', body: '{"code":"busy","title":"Busy","detail":"too many requests wait"}' }, 'too many requests wait'],
      [{ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1><script>window.executed=true</script>' }, 'status 502'],
      [{ status: 200, contentType: 'application/json', body: '{"clusters":[' }, 'This did not work'],
    ];
    for (const [answer, words] of answers) {
      await page.route('**/v1/clusters?*', (route) => route.fulfill(answer));
      await page.goto('/clusters');
      await page.getByRole('alert').getByText(words).waitFor();
      await page.unroute('**/v1/clusters?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.list').waitFor();
    }
    await page.route('**/v1/clusters?*', (route) => route.abort());
    await page.goto('/clusters');
    await page.getByText('The server does not answer').waitFor();
    assert.equal(await page.evaluate(() => window.executed), undefined);
    await close();
  });

  test('a token is asked for, kept for the tab, and sent in a header only', async () => {
    const { page, close } = await openPage(browser, service.base);
    await page.route('**/v1/clusters?*', (route) =>
      route.request().headers().authorization === 'Bearer secret'
        ? route.continue()
        : route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthorized","title":"Unauthorized","detail":"a token is needed"}' }),
    );
    const addresses = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto('/clusters');
    await page.getByLabel('Access token').fill('secret');
    await page.keyboard.press('Enter');
    await page.locator('.list').waitFor();
    assert.ok(addresses.every((address) => !address.includes('secret')));
    await close();
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing serious in the ${colorScheme} theme`, { timeout: 120_000 }, async () => {
      const { page, close } = await openPage(browser, service.base, { colorScheme });
      const cluster = await clusterOf('news/1');
      const views = ['/', '/clusters', `/clusters/${cluster}?member=news/3`, `/clusters/${await clusterOf('chain/c')}?member=chain/c`, '/documents?key=news%2F1', `/review/${cluster}`, '/decisions', '/try', '/nothing'];
      const problems = [];
      for (const view of views) {
        await page.goto(view);
        await settled(page);
        if (/^\/(clusters|review)\/\d/.test(view)) await page.locator('.diff').waitFor();
        await page.evaluate(() => document.querySelectorAll('details').forEach((each) => each.setAttribute('open', '')));
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
        for (const { id, impact, nodes } of violations) problems.push(`${view}: ${id} (${impact}) ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`);
      }
      await page.goto(`/review/${cluster}`);
      await page.locator('.diff').waitFor();
      await page.keyboard.press('s');
      await page.getByRole('dialog').waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run('dialog'));
      for (const { id, nodes } of violations) problems.push(`dialog: ${id} ${nodes[0].html}`);
      await close();
      assert.deepEqual(problems, []);
    });
  }

  test('everything can be reached with the tab key, and shows it', async () => {
    const { page, close } = await openPage(browser, service.base);
    const cluster = await clusterOf('news/1');
    for (const view of ['/clusters?min=3', `/clusters/${cluster}`, `/review/${cluster}`, '/try']) {
      await page.goto(view);
      await settled(page);
      if (view.includes(cluster)) await page.locator('.diff').waitFor();
      const all = await page.evaluate(() => [...document.querySelectorAll('a[href], button:not(:disabled), input, select, textarea, summary')].filter((each) => each.checkVisibility()).length);
      const reached = new Set();
      for (let step = 0; step < all + 5; step += 1) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate(() => {
          const element = document.activeElement;
          if (element === null || element === document.body) return null;
          window.places ??= new Map();
          if (!window.places.has(element)) window.places.set(element, window.places.size);
          return { place: window.places.get(element), outline: getComputedStyle(element).outlineStyle, html: element.outerHTML.slice(0, 100) };
        });
        if (found === null) continue;
        assert.notEqual(found.outline, 'none', found.html);
        reached.add(found.place);
      }
      assert.ok(reached.size >= all, `${view}: ${reached.size} of ${all}`);
    }
    await close();
  });
});
