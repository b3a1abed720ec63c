'use strict';
// Draws the report from the data inside the page. Text from documents only ever becomes text nodes.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const run = data.run;

  // Numbers and words.
  const count = (n) => Number(n).toLocaleString('en-US');
  const counted = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;
  const percent = (part, whole) => {
    const share = whole > 0 ? (100 * part) / whole : 0;
    if (share > 0 && share < 0.1) return '< 0.1%';
    if (share < 100 && share > 99.9) return '> 99.9%';
    return `${share.toFixed(1)}%`;
  };
  const bytes = (n) => {
    const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
    let unit = 0;
    for (; n >= 1000 && unit + 1 < units.length; ++unit) n /= 1000;
    return `${n >= 100 || unit === 0 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
  };
  const seconds = (s) => (s < 60 ? `${s.toFixed(s < 10 ? 1 : 0)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`);
  const isDistance = ['edit', 'hamming'].includes(run.definition?.measure ?? run.options?.pairs_measure);
  const hasIntegers = isDistance || (run.definition?.measure ?? run.options?.pairs_measure) === 'overlap';
  const scoreText = (score) => (score === null ? '–' : hasIntegers ? String(score) : score.toFixed(3));

  // Elements.
  const svgTags = new Set(['svg', 'g', 'rect', 'line', 'circle', 'path', 'text']);
  function el(tag, attributes = {}, ...children) {
    const node = svgTags.has(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, value);
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return node;
  }
  // Characters that hide or reorder what is around them are shown by their code points.
  const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
  function shown(text) {
    const out = [];
    let end = 0;
    for (const match of text.matchAll(controls)) {
      out.push(text.slice(end, match.index));
      out.push(el('span', { class: 'control' }, `U+${match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`));
      end = match.index + match[0].length;
    }
    out.push(text.slice(end));
    return out;
  }
  const nameOf = (text, tag = 'span') => el(tag, { class: 'name', dir: 'auto' }, text === '' ? '(none)' : shown(text));
  const main = document.getElementById('main');
  function section(title, ...children) {
    const id = `s${main.childElementCount}`;
    const node = el('section', { 'aria-labelledby': id }, el('h2', { id }, title), ...children);
    main.append(node);
    return node;
  }
  function table(caption, heads, rows, attributes = {}) {
    const cell = (value, place, tag) => el(tag, { class: heads[place].number ? 'number' : heads[place].class, scope: tag === 'th' ? 'row' : undefined }, value);
    return el(
      'table',
      attributes,
      caption ? el('caption', {}, caption) : null,
      heads.some((head) => head.text) ? el('thead', {}, el('tr', {}, heads.map((head) => el('th', { class: head.number ? 'number' : undefined, scope: 'col' }, head.text)))) : null,
      el('tbody', {}, rows.map((row) => el('tr', { class: row.class }, row.cells.map((value, place) => cell(value, place, place === 0 ? 'th' : 'td'))))),
    );
  }
  const scrolling = (label, node) => el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, node);

  // What the definition says, in words.
  function definition() {
    const said = run.definition;
    if (!said) return ['The pairs were given, not searched for.'];
    const [kind, length] = (said.features ?? '').split('/').pop().split(':');
    const of = kind === 'chars' ? `runs of ${length} characters` : kind === 'tokens' ? 'sets of integers' : length ? `runs of ${length} words` : 'words';
    const at = el('b', {}, said.threshold);
    switch (said.measure) {
      case 'edit':
        return ['Two documents are near-duplicates when at most ', at, ' characters must be changed to make one the other.'];
      case 'hamming':
        return ['Two documents are near-duplicates when their simhashes differ in at most ', at, ' of 64 bits.'];
      case 'overlap':
        return ['Two documents are near-duplicates when they share at least ', at, ` ${of}.`];
      default: {
        const name = { jaccard: 'Jaccard', cosine: 'cosine', dice: 'Dice' }[said.measure] ?? said.measure;
        return [`Two documents are near-duplicates when the ${name} similarity of their ${of} is at least `, at, '.'];
      }
    }
  }

  const clusters = run.clusters ?? run.groups ?? 0;
  const largest = run.largest_cluster ?? run.largest_group ?? 0;
  const bad = run.bad_records ?? 0;
  const [clusterOne, clusterMany] = run.verb === 'clean' ? ['group', 'groups'] : ['cluster', 'clusters'];

  const isPairs = run.verb === 'pairs';
  const pairsTitle = () => `${counted(run.pairs, 'similar pair', 'similar pairs')} ${run.against_documents === undefined ? `among ${counted(run.documents, 'document', 'documents')}` : `between ${counted(run.documents, 'document', 'documents')} and ${count(run.against_documents)} others`}`;

  function head() {
    const title = isPairs ? pairsTitle() : run.removed === 0 ? `No near-duplicates among ${counted(run.documents, 'document', 'documents')}` : `${count(run.removed)} of ${counted(run.documents, 'document', 'documents')} removed (${percent(run.removed, run.documents)})`;
    document.title = `${title} · neardup report`;
    const card = (name, value, more) => el('div', {}, el('dt', {}, name), el('dd', {}, value, more ? el('small', {}, more) : null));
    document.getElementById('head').append(
      el('p', { class: 'eyebrow' }, `neardup ${run.verb} report`),
      el('h1', {}, title),
      el('p', { class: 'lead' }, definition()),
      el(
        'dl',
        { class: 'cards' },
        card('Documents read', count(run.documents), `${bytes(run.bytes)}${bad > 0 ? `, ${counted(bad, 'bad record', 'bad records')}` : ''}`),
        isPairs
          ? [card('Pairs', count(run.pairs)), card('Compared', count(run.candidates), 'candidates')]
          : [
              card('Kept', count(run.kept), percent(run.kept, run.documents)),
              card('Removed', count(run.removed), percent(run.removed, run.documents)),
              card(clusterMany[0].toUpperCase() + clusterMany.slice(1), count(clusters), clusters > 0 ? `largest: ${counted(largest, 'document', 'documents')}` : 'of two documents or more'),
            ],
        card('Time', seconds(run.seconds), `${bytes(run.peak_memory_bytes)} of memory`),
      ),
      ...(run.warnings ?? []).map((warning) => el('p', { class: 'warning' }, el('b', {}, 'Warning: '), shown(warning))),
    );
  }

  // What was kept, and why the rest was removed.
  function balance() {
    if (isPairs) return section('How sure it is', certainty());
    const chained = run.removed_through_chain ?? 0;
    const parts = [
      { name: 'Kept', value: run.kept, class: 'kept', sum: true },
      { name: 'Removed', value: run.removed, sum: true },
      { name: 'Same content as the kept document', value: run.removed_copies, class: 'copies' },
      { name: 'Similar to the kept document', value: run.removed_similar === undefined ? undefined : run.removed_similar - chained, class: 'similar' },
      { name: 'Linked to it only through other documents', value: chained, class: 'chained', note: run.removed_through_chain },
      { name: 'Near-duplicate of a reference document', value: run.against_removed, class: 'against' },
      { name: 'Without any words', value: run.removed_empty, class: 'empty' },
      { name: 'Shown by a query beside a near-duplicate', value: run.verb === 'clean' ? run.removed : undefined, class: 'similar' },
    ].filter((part) => part.sum || part.value > 0);
    const width = 1000;
    let x = 0;
    const bars = parts
      .filter((part) => part.class)
      .map((part) => {
        const w = (width * part.value) / Math.max(1, run.documents);
        const rect = el('rect', { class: part.class, x, y: 0, width: w, height: 26 });
        x += w;
        return rect;
      });
    const bar = el('svg', { viewBox: `0 0 ${width} 26`, preserveAspectRatio: 'none', height: 26, 'aria-hidden': 'true' }, bars);
    const rows = parts.map((part) => ({
      class: part.sum ? 'sum' : 'sub',
      cells: [[part.class ? el('span', { class: `swatch ${part.class}` }) : '', part.name], count(part.value), percent(part.value, run.documents)],
    }));
    const keep = run.options?.keep;
    section(
      'What was kept, and why the rest was removed',
      el('p', { class: 'quiet' }, keep ? ['Of each cluster one document was kept, chosen by the rule ', el('code', {}, keep), '. '] : '', run.removed_bytes ? `${bytes(run.removed_bytes)} of ${bytes(run.document_bytes)} were removed.` : ''),
      bar,
      el('div', { class: 'split' }, table(undefined, [{ text: '' }, { text: '', number: true }, { text: '', number: true }], rows), certainty()),
    );
  }

  // How many near-duplicates were found of all there are.
  function certainty() {
    const recall = run.recall;
    const lines = [];
    if (run.verb === 'clean') {
      const { before, after } = run.first_ten_results;
      lines.push(el('h3', {}, 'What searchers see'));
      lines.push(el('p', {}, `${counted(run.queries, 'query', 'queries')} of the log were examined. Near-duplicates among the first ten results: ${(100 * before.duplicate_share).toFixed(1)}% before, ${(100 * after.duplicate_share).toFixed(1)}% after.`));
    } else if (isPairs) {
      const exact = !run.approximate;
      lines.push(el('p', {}, exact ? 'The search was exact: it found every pair of the definition, and compared each on the complete documents.' : `Features are sketches, and scores are estimates. Compared with the complete documents: recall ${((run.recall ?? 0) * 100).toFixed(1)}%, precision ${((run.precision ?? 0) * 100).toFixed(1)}%.`), el('span', { class: `badge ${exact ? 'exact' : 'sampled'}` }, exact ? 'exact' : 'estimated'));
      return el('div', {}, lines);
    } else if (recall) {
      lines.push(el('h3', {}, `Recall: ${(100 * recall.value).toFixed(1)}%`));
      const whole = recall.low === recall.high;
      lines.push(
        el(
          'p',
          {},
          whole
            ? `The finder ${run.finder} may miss pairs. Compared with an exact search of everything it found this share of ${counted(recall.pairs, 'pair', 'pairs')}.`
            : `The finder ${run.finder} may miss pairs. Measured on a sample of ${counted(recall.documents, 'document', 'documents')} with ${counted(recall.pairs, 'pair', 'pairs')}: between ${(100 * recall.low).toFixed(1)}% and ${(100 * recall.high).toFixed(1)}% with 95% confidence.`,
        ),
        el('span', { class: `badge ${whole ? 'exact' : 'sampled'}` }, whole ? 'exact' : 'sampled'),
      );
    } else if (run.finder === 'exact') {
      lines.push(el('h3', {}, 'Recall: 100%'), el('p', {}, 'The search was exact: it found every pair of the definition.'), el('span', { class: 'badge exact' }, 'exact'));
    } else {
      lines.push(el('h3', {}, 'Recall'), el('p', {}, run.finder === 'pairs' ? 'The pairs were given by a file.' : 'Not measured.'));
    }
    lines.push(el('p', { class: 'quiet' }, run.verb === 'clean' ? '' : 'Precision: every pair was compared on the complete documents, so that no pair below the threshold is among them.'));
    return el('div', {}, lines);
  }

  // Which sources or values lost most.
  function shares() {
    const by = run.removed_by;
    if (!by || by.largest.length === 0) return;
    const what = by.by === 'field' ? by.field : 'input file';
    const row = (share) => ({
      cells: [
        nameOf(share.name),
        el('svg', { viewBox: '0 0 100 8', preserveAspectRatio: 'none', height: 8, 'aria-hidden': 'true' }, el('rect', { class: 'track', width: 100, height: 8 }), el('rect', { class: 'part', width: (100 * share.removed) / Math.max(1, share.documents), height: 8 })),
        percent(share.removed, share.documents),
        count(share.removed),
        count(share.documents),
      ],
    });
    const rows = by.largest.map(row);
    if (by.others > 0) rows.push(row({ name: `${count(by.others)} others`, documents: by.others_documents, removed: by.others_removed }));
    const heads = [{ text: what, class: 'name' }, { text: '', class: 'spark' }, { text: 'removed', number: true }, { text: 'documents removed', number: true }, { text: 'documents', number: true }];
    section(by.by === 'field' ? 'Removed by value of a field' : 'Removed by input', el('p', { class: 'quiet' }, by.others > 0 ? `The ${by.largest.length} largest; the others together.` : ''), scrolling('Removed documents by group', table(undefined, heads, rows)));
  }

  // Axes. A scale maps a value to 0..1.
  const powers = (low, high) => {
    const out = [];
    for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.floor(Math.log10(high) + 1e-9); ++power) out.push(10 ** power);
    return out;
  };
  const short = (n) => (n >= 1e6 ? `${n / 1e6}M` : n >= 1e4 ? `${n / 1e3}k` : String(n));
  const linear = (low, high) => ({ at: (v) => (high > low ? (v - low) / (high - low) : 0.5), ticks: niceTicks(low, high) });
  const logarithmic = (low, high) => ({ at: (v) => (high > low ? Math.log(Math.max(v, low) / low) / Math.log(high / low) : 0.5), ticks: powers(low, high) });
  function niceTicks(low, high) {
    if (!(high > low)) return [low];
    const rough = (high - low) / 5;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * unit).find((k) => k >= rough);
    const out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push(Number((k * step).toPrecision(12)));
    return out;
  }

  // A plot that fits its place, tells the value under the mouse, and can be walked through with the arrow keys.
  function plot({ label, x, y, xName, yName, points, draw, describe, height = 230 }) {
    const svg = el('svg', { role: 'img', tabindex: 0, 'aria-label': `${label}. Left and right arrow keys read the values; the table has all of them.`, height });
    const readout = el('p', { class: 'readout quiet', 'aria-live': 'polite' }, ' ');
    const pad = { left: 46, right: 14, top: 14, bottom: 40 };
    let at = -1;
    let width = 640;
    const px = (v) => pad.left + x.at(v) * (width - pad.left - pad.right);
    const py = (v) => height - pad.bottom - y.at(v) * (height - pad.top - pad.bottom);
    function render() {
      width = Math.max(260, svg.clientWidth || 640);
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      const room = Math.max(2, Math.floor((width - pad.left) / 70));
      const ticks = x.ticks.filter((_, i) => i % Math.ceil(x.ticks.length / room) === 0);
      svg.replaceChildren(
        ...y.ticks.map((tick) => el('g', {}, el('line', { class: 'grid', x1: pad.left, x2: width - pad.right, y1: py(tick), y2: py(tick) }), el('text', { x: pad.left - 8, y: py(tick) + 4, 'text-anchor': 'end' }, short(tick)))),
        ...ticks.map((tick) => el('text', { x: px(tick), y: height - pad.bottom + 17, 'text-anchor': 'middle' }, short(tick))),
        el('line', { class: 'axis', x1: pad.left, x2: width - pad.right, y1: height - pad.bottom, y2: height - pad.bottom }),
        el('text', { x: width - pad.right, y: height - 4, 'text-anchor': 'end' }, xName),
        el('text', { x: 0, y: 10 }, yName),
        ...draw({ px, py, base: height - pad.bottom, width, top: pad.top, at }),
      );
    }
    function choose(place) {
      at = Math.min(points.length - 1, Math.max(0, place));
      readout.textContent = describe(points[at]);
      render();
    }
    svg.addEventListener('mousemove', (event) => {
      const box = svg.getBoundingClientRect();
      const mouse = ((event.clientX - box.left) * width) / box.width;
      let best = 0;
      for (let i = 1; i < points.length; ++i) if (Math.abs(px(points[i].x) - mouse) < Math.abs(px(points[best].x) - mouse)) best = i;
      if (points.length > 0 && best !== at) choose(best);
    });
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined || points.length === 0) return;
      event.preventDefault();
      choose(at + step);
    });
    new ResizeObserver(render).observe(svg);
    const box = el('div', {}, svg, readout);
    box.render = render;
    return box;
  }

  // How large clusters are.
  function sizes() {
    if (data.sizes.length === 0) return;
    const points = data.sizes.map(([x, y]) => ({ x, y }));
    const most = Math.max(...points.map((point) => point.y));
    const dot = ({ px, py, at }) => points.map((point, i) => el('circle', { class: i === at ? 'hot' : 'mark', cx: px(point.x), cy: py(point.y), r: i === at ? 6 : 4 }));
    const say = (point) => `${counted(point.y, clusterOne, clusterMany)} of ${point.x >= 1000 ? 'about ' : ''}${count(point.x)} documents`;
    const rows = points.map((point) => ({ cells: [`${point.x >= 1000 ? '≈ ' : ''}${count(point.x)}`, count(point.y), count(point.x * point.y)] }));
    section(
      `How large the ${clusterMany} are`,
      el('p', { class: 'quiet' }, `${counted(clusters, clusterOne, clusterMany)} of two documents or more; the largest has ${counted(largest, 'document', 'documents')}. Both axes are logarithmic.`),
      el(
        'div',
        { class: 'split' },
        plot({ label: `Number of ${clusterMany} by size`, x: logarithmic(1, Math.max(10, points.at(-1).x)), y: logarithmic(1, Math.max(10, most)), xName: `documents in a ${clusterOne}`, yName: clusterMany, points, draw: dot, describe: say }),
        scrolling(`Sizes of ${clusterMany}`, table(undefined, [{ text: 'Documents' }, { text: clusterMany, number: true }, { text: 'documents in all', number: true }], rows)),
      ),
    );
  }

  const curve = data.curve;
  const thresholdText = (t) => (hasIntegers ? String(t) : t.toFixed(3).replace(/0$/, ''));

  // How similar removed documents are to what was kept for them, or the documents of pairs.
  function scores() {
    if (!curve) return;
    const steps = curve.thresholds;
    const values = isPairs ? curve.pairs.map((n, i) => n - (curve.pairs[i + 1] ?? 0)) : curve.removed_scores;
    const [one, many] = isPairs ? ['pair', 'pairs'] : ['document', 'documents'];
    const group = Math.max(1, Math.ceil((steps.length - 1) / 20));
    const bins = [];
    for (let i = 0; i < steps.length; i += group) {
      const last = Math.min(i + group, steps.length) - 1;
      const next = steps[last + 1];
      let y = 0;
      for (let k = i; k <= last; ++k) y += values[k] ?? 0;
      const alone = hasIntegers && last === i;
      const text = alone || next === undefined ? thresholdText(steps[i]) : isDistance ? `${steps[i]} to ${steps[last]}` : hasIntegers ? `${steps[i]} to ${next - 1}` : `${thresholdText(steps[i])} to below ${thresholdText(next)}`;
      bins.push({ x: bins.length, y, text: next === undefined && !hasIntegers && i < last ? `${thresholdText(steps[i])} to ${thresholdText(steps[last])}` : text });
    }
    const total = bins.reduce((sum, bin) => sum + bin.y, 0) + curve.without_score;
    if (total === 0) return;
    const most = Math.max(1, ...bins.map((bin) => bin.y));
    const axis = { at: (v) => (v + 0.5) / bins.length, ticks: [] };
    const bars = ({ px, py, base, width, at }) => {
      const w = Math.max(2, (width - 60) / bins.length - 3);
      const label = (bin, anchor) => el('text', { x: px(bin.x), y: base + 17, 'text-anchor': anchor }, bin.text.split(' ')[0]);
      return [
        ...bins.map((bin, i) => el('rect', { class: i === at ? 'hot' : 'bar', x: px(bin.x) - w / 2, width: w, y: bin.y > 0 ? Math.min(base - 2, py(bin.y)) : base, height: bin.y > 0 ? Math.max(2, base - py(bin.y)) : 0, rx: 1 })),
        ...bins.filter((_, i) => i % Math.max(1, Math.ceil(bins.length / Math.max(2, Math.floor(width / 90)))) === 0).map((bin) => label(bin, 'middle')),
      ];
    };
    const rows = bins.filter((bin) => bin.y > 0).map((bin) => ({ cells: [bin.text, count(bin.y), percent(bin.y, total)] }));
    if (curve.without_score > 0) rows.push({ cells: ['only through others', count(curve.without_score), percent(curve.without_score, total)] });
    section(
      isPairs ? 'How similar the pairs are' : 'How similar removed documents are to the kept one',
      el('p', { class: 'quiet' }, `${isDistance ? 'A distance of 0 means the same.' : hasIntegers ? '' : 'A score of 1 means the same content.'} The height is logarithmic. Those near the threshold are the ones to check.`),
      el(
        'div',
        { class: 'split' },
        plot({ label: isPairs ? 'Pairs by score' : 'Removed documents by score', x: axis, y: logarithmic(0.5, Math.max(10, most)), xName: isDistance ? 'distance' : 'score', yName: many, points: bins, draw: bars, describe: (bin) => `${isDistance ? 'Distance' : 'Score'} ${bin.text}: ${counted(bin.y, one, many)}` }),
        scrolling('All scores', table(undefined, [{ text: isDistance ? 'Distance' : 'Score' }, { text: many, number: true }, { text: 'share', number: true }], rows)),
      ),
    );
  }

  // What another threshold would change: exactly from the run's own threshold on, by a sample below it.
  function slider() {
    if (!curve) return;
    const estimates = (run.near_misses?.estimates ?? []).slice().reverse();
    if (curve.pairs[0] === 0 && !estimates.some((each) => each.pairs > 0)) return;
    const others = (run.against_removed ?? 0) + (run.removed_empty ?? 0);
    const counts = curve.removed ?? curve.pairs;
    const points = [
      ...estimates.map((each) => ({ x: each.threshold, y: counts[0] + each.pairs, sampled: each })),
      ...curve.thresholds.map((x, i) => ({ x, y: counts[i], i })),
    ];
    const own = estimates.length;
    let now = own;
    const top = Math.max(1, Math.min(1.5 * counts[0] + 10, Math.max(...points.map((point) => point.y))));
    const yName = curve.removed ? 'documents removed' : 'pairs';
    const path = (list, { px, py }) => list.map((point, i) => `${i === 0 ? 'M' : 'L'}${px(point.x).toFixed(1)} ${py(Math.min(top, point.y)).toFixed(1)}`).join('');
    const draw = (frame) => {
      const { px, py, base, top: y0 } = frame;
      const x = px(points[now].x);
      return [
        own > 0 ? el('path', { class: 'line estimate', d: path(points.slice(0, own + 1), frame) }) : '',
        el('path', { class: 'line', d: path(points.slice(own), frame) }),
        el('line', { class: 'own', x1: px(points[own].x), x2: px(points[own].x), y1: y0, y2: base }),
        el('line', { class: 'here', x1: x, x2: x, y1: y0, y2: base }),
        el('circle', { class: 'here-dot', cx: x, cy: py(Math.min(top, points[now].y)), r: 5 }),
      ].filter(Boolean);
    };
    const describe = (point) => `${thresholdText(point.x)}: ${point.sampled ? `at most about ${count(Math.round(point.y))}` : count(point.y)} ${yName}`;
    const all = points.map((point) => point.x);
    const picture = plot({ label: `${yName} by threshold`, x: linear(Math.min(...all), Math.max(...all)), y: linear(0, top), xName: isDistance ? 'largest distance' : 'threshold', yName, points, draw, describe, height: 220 });
    const input = el('input', { type: 'range', min: 0, max: points.length - 1, step: 1, value: own, id: 'threshold' });
    const output = el('output', { for: 'threshold' });
    const badge = el('span', { class: 'badge exact' });
    const body = el('tbody', {});
    const heads = ['', 'this run', 'then', 'change'].map((text, i) => el('th', { class: i > 0 ? 'number' : undefined, scope: 'col' }, text));
    const changes = el('table', { class: 'changes', 'aria-live': 'polite' }, el('thead', {}, el('tr', {}, heads)), body);
    const line = (name, before, after, change) => el('tr', {}, el('th', { scope: 'row' }, name), [before, after, change].map((text, i) => el('td', { class: i === 2 ? 'number delta' : 'number' }, text)));
    const row = (name, before, after) => line(name, count(before), count(after), after === before ? '–' : `${after > before ? '+' : '−'}${count(Math.abs(after - before))}`);
    function exactRows(i) {
      const rows = [row('Pairs', curve.pairs[0], curve.pairs[i])];
      if (curve.removed) {
        const removed = (k) => curve.removed[k] + others;
        rows.push(row('Removed documents', removed(0), removed(i)), row('Kept documents', run.documents - removed(0), run.documents - removed(i)), row('Clusters', curve.clusters[0], curve.clusters[i]), row('Documents in the largest cluster', curve.largest[0], curve.largest[i]));
      } else if (!isPairs) {
        const sum = (from) => curve.removed_scores.slice(from).reduce((total, n) => total + n, 0);
        rows.push(row('Removed documents that are this similar to the kept one', sum(0), sum(i)));
      }
      return rows;
    }
    function sampledRows({ pairs, low, high }) {
      const about = (n) => (n < 10 ? n.toFixed(n > 0 ? 1 : 0) : count(Math.round(n)));
      return [
        line('Pairs', count(curve.pairs[0]), `≈ ${count(Math.round(curve.pairs[0] + pairs))}`, `+${about(pairs)}`),
        line('95% interval of the change', '', '', `+${about(low)} to +${about(high)}`),
        line('Removed documents', count(run.removed), `≤ ${count(Math.round(run.removed + pairs))}`, `at most +${about(pairs)}`),
      ];
    }
    function update() {
      now = Number(input.value);
      const point = points[now];
      const text = `${isDistance ? '≤' : '≥'} ${thresholdText(point.x)}`;
      output.textContent = text;
      badge.textContent = point.sampled ? 'sampled' : 'exact';
      badge.setAttribute('class', `badge ${point.sampled ? 'sampled' : 'exact'}`);
      input.setAttribute('aria-valuetext', `${text}, ${badge.textContent}`);
      body.replaceChildren(...(point.sampled ? sampledRows(point.sampled) : exactRows(point.i)));
      picture.render();
    }
    input.addEventListener('input', update);
    const exact = `Exact from the threshold of the run on: every pair that ${run.recall ? 'was found' : 'meets it'} was recorded. ${curve.rounded ? 'Scores are those of the lists, rounded to six decimals. ' : ''}${curve.removed || isPairs ? '' : 'How many documents another threshold removes needs another run with this kind of clusters. '}`;
    const below = isPairs ? 'Pairs beyond it were not searched for.' : own > 0 ? `Below it nothing was searched: the numbers are estimates from a sample of ${counted(run.near_misses.sampled_documents, 'document', 'documents')}, and count pairs of documents in different clusters. Each of them removes one document at most.` : `Pairs ${isDistance ? 'of a larger distance' : 'below it'} were not searched for, and no sample was drawn.`;
    section(
      'What another threshold would change',
      el('p', { class: 'quiet' }, exact, below),
      el('div', { class: 'slider' }, el('label', { for: 'threshold' }, isDistance ? 'Largest distance' : 'Threshold'), input, output, badge),
      el('div', { class: 'split' }, picture, changes),
    );
    update();
  }

  // Documents that stayed apart, but not by much.
  function apart() {
    const list = data.apart.length > 0 ? data.apart : (run.near_misses?.closest ?? []);
    if (list.length === 0) return;
    const all = list.map((pair, place) => el('details', place === 0 && pair.diff ? { open: '' } : {}, el('summary', {}, nameOf(pair.left), nameOf(pair.right), el('span', { class: 'count' }, `score ${scoreText(pair.score)}`)), el('div', {}, pair.diff ? differences({ id: pair.right, score: pair.score, diff: pair.diff }, 'left', 'right') : el('p', { class: 'quiet' }, 'No texts.'))));
    if (isPairs) return section('The least similar pairs', el('p', { class: 'quiet' }, 'Differing words are marked. If these are right, the threshold is not too low.'), all);
    section('Just below the threshold', el('p', { class: 'quiet' }, el('span', { class: 'badge sampled' }, 'sampled'), ' Pairs that were not taken for near-duplicates: the most similar ones of the sample. If they should have been, lower the threshold.'), all);
  }

  // Two texts beside each other. Equal text that was left out separates rows.
  function sideBySide(diff, one, other) {
    const grid = el('div', { class: 'diff' }, el('div', { class: 'side' }, one), el('div', { class: 'side right' }, other));
    let left, right;
    const begin = () => {
      left = el('div', { class: 'text', dir: 'auto' });
      right = el('div', { class: 'text right', dir: 'auto' });
    };
    const end = () => {
      if (left.childNodes.length + right.childNodes.length > 0) grid.append(left, right);
    };
    begin();
    for (const [kind, a, b] of diff.parts) {
      if (kind === '>') {
        end();
        grid.append(el('div', { class: 'gap' }, `${counted(a, 'equal word', 'equal words')}`));
        begin();
      } else if (kind === '=') {
        left.append(...shown(a));
        right.append(...shown(b ?? a));
      } else {
        if (kind !== '+') left.append(el('del', {}, shown(a)));
        if (kind !== '-') right.append(el('ins', {}, shown(kind === '+' ? a : b)));
      }
    }
    end();
    return grid;
  }

  function differences(removed, one = 'kept', other = 'removed') {
    const diff = removed.diff;
    const about = [nameOf(removed.id), removed.score === null ? ' is linked to the kept document only through others' : `: ${isDistance ? 'distance' : 'score'} ${scoreText(removed.score)}`];
    if (removed.rule) about.push(', decided by ', el('code', {}, shown(removed.rule)));
    if (!diff) return el('div', { class: 'pair' }, el('p', {}, about));
    const words = diff.same_text ? 'the same text' : diff.removed + diff.added === 0 ? 'the same words; only case, spaces or punctuation differ' : `${counted(diff.equal, 'word', 'words')} equal, ${count(diff.removed)} only in the ${one} one, ${count(diff.added)} only in the ${other} one`;
    about.push(` · ${words}${diff.whole ? '' : ' (in the beginning of long texts)'}`);
    const more = diff.hidden > 0 ? el('p', { class: 'quiet' }, `${counted(diff.hidden, 'more difference is', 'more differences are')} not shown.`) : null;
    return el('div', { class: 'pair' }, el('p', {}, about), diff.same_text ? null : sideBySide(diff, one, other), more);
  }

  function examples(title, lead, list) {
    if (list.length === 0) return;
    const all = list.map((cluster, place) => {
      const left = cluster.documents - 1 - cluster.removed.length;
      return el(
        'details',
        place === 0 ? { open: '' } : {},
        el('summary', {}, nameOf(cluster.kept), el('span', { class: 'count' }, counted(cluster.documents, 'document', 'documents'))),
        el('div', {}, cluster.opening ? el('p', { class: 'opening text', dir: 'auto' }, shown(cluster.opening)) : null, cluster.removed.map((each) => differences(each)), left > 0 ? el('p', { class: 'quiet' }, `${counted(left, 'more removed document', 'more removed documents')} of this ${clusterOne} ${left === 1 ? 'is' : 'are'} in removed.jsonl.`) : null),
      );
    });
    section(title, el('p', { class: 'quiet' }, lead, data.no_texts ? [' No texts: ', shown(data.no_texts), '.'] : ''), all);
  }

  function badRecords() {
    if (bad === 0) return;
    const rows = data.bad.map((record) => ({ cells: [nameOf(record.line > 0 ? `${record.path}:${record.line}` : record.path), [shown(record.reason)]] }));
    section('Records that could not be read', el('p', { class: 'quiet' }, data.bad.length < bad ? `The first ${data.bad.length} of ${count(bad)}; bad.jsonl lists all.` : `${counted(bad, 'record', 'records')}, also in bad.jsonl.`), scrolling('Bad records', table(undefined, [{ text: 'Record', class: 'name' }, { text: 'Reason' }], rows)));
  }

  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  function again() {
    const rows = [];
    const add = (name, value) => {
      if (value === null || value === undefined || value === '' || value === false) return;
      if (Array.isArray(value)) return value.length > 0 && typeof value[0] !== 'object' ? add(name, value.join(', ')) : undefined;
      if (typeof value === 'object') return Object.entries(value).forEach(([inner, each]) => add(`${name}.${inner}`, each));
      rows.push({ cells: [name, [shown(String(value))]] });
    };
    for (const name of ['definition', 'options', 'reading', 'stage_seconds', 'finder', 'finder_parameters', 'candidates', 'version', 'libraries']) add(name, run[name]);
    const inputs = (run.inputs ?? []).slice(0, 20).map((input) => ({ cells: [nameOf(input.path), `${input.format}${input.codec && input.codec !== 'none' && input.codec !== 'plain' ? `, ${input.codec}` : ''}`, bytes(input.bytes)] }));
    const inputsInAll = (run.inputs ?? []).length + (run.inputs_left_out ?? 0);
    section(
      'How to repeat this run',
      (run.command_line ?? []).length > 0 ? el('pre', { tabindex: 0 }, shown(run.command_line.map(quoted).join(' '))) : el('p', { class: 'quiet' }, 'The run was started from a program; its parameters are below.'),
      el('details', {}, el('summary', {}, el('span', {}, 'Inputs'), el('span', { class: 'count' }, counted(inputsInAll, 'file', 'files'))), el('div', {}, table(inputsInAll > 20 ? 'The first 20' : undefined, [{ text: 'Path', class: 'name' }, { text: 'format' }, { text: 'size', number: true }], inputs))),
      el('details', {}, el('summary', {}, el('span', {}, 'Parameters, times and versions'), el('span', { class: 'count' }, 'from run.json')), el('div', {}, table(undefined, [{ text: 'Name', class: 'name' }, { text: 'Value', class: 'name' }], rows))),
    );
    document.getElementById('foot').append(el('p', {}, `Made by neardup ${run.version}. This file is complete: it loads nothing from a network. Counts are over the whole run; texts are examples.`));
  }

  head();
  balance();
  slider();
  shares();
  sizes();
  scores();
  examples(`The largest ${clusterMany}`, `Each was reduced to the document in its heading. Of up to three removed documents, from the least to the most similar, the words that differ are marked.`, data.largest);
  examples('The least certain removals', `Of the other ${clusterMany}, those whose removed documents are least similar to the kept one. Check these first.`, data.doubtful);
  apart();
  badRecords();
  again();

  // Paper shows what is open.
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    for (const each of opened) each.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const each of opened) each.open = false;
  });
})();
