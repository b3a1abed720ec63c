// The documents that the tests put into an index. Texts are made of numbered words, so that every score can be computed by hand.

// 200 words: 196 features of five words.
export function words(topic, count = 200) {
  return Array.from({ length: count }, (_, place) => `${topic}${(place * 7919) % 1009}x${place}`);
}

// Replacing a word that stands alone changes five features.
export function edited(list, places, mark = 'changed') {
  return list.map((word, place) => (places.includes(place) ? `${mark}${place}` : word));
}

const text = (list) => list.join(' ');

// Each tries to run `window.executed = true` somewhere: in markup, in attributes, in addresses, in templates, in JSON, in styles.
const run = 'window.executed=true';
export const attacks = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<ScRiPt src="data:text/javascript,${run}"></ScRiPt>`,
  `<img src=x onerror=${run}>`,
  `<img src="x" onerror="${run}"`,
  `"><img src=x onerror=${run}>`,
  `'><svg/onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<iframe src="javascript:parent.${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<object data="data:text/html,<script>${run}</script>"></object>`,
  `<embed src="javascript:${run}">`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}>`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<select autofocus onfocus=${run}>`,
  `<textarea></textarea><script>${run}</script>`,
  `<title></title><script>${run}</script>`,
  `<style>@import 'javascript:${run}';</style>`,
  `<link rel=stylesheet href="data:text/css,*{x:expression(${run})}">`,
  `<base href="javascript:${run}//">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<a href="javascript:${run}" autofocus tabindex=1 onfocus=${run}>x</a>`,
  `javascript:${run}`,
  `java\tscript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `" onmouseover="${run}" x="`,
  `' onfocus='${run}' autofocus='`,
  '` onclick=`' + run + '`',
  `{{constructor.constructor('${run}')()}}`,
  '${' + run + '}',
  `<%= ${run} %>`,
  `#{${run}}`,
  `';${run};//`,
  `\\";${run};//`,
  `\u2028${run}\u2029`,
  `<!--><script>${run}</script>-->`,
  `<![CDATA[<script>${run}</script>]]>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<template><script>${run}</script></template><img src=x onerror=${run}>`,
  `<xmp><img src=x onerror=${run}></xmp>`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `&#60;img src=x onerror=${run}&#62;`,
  `%3Cscript%3E${run}%3C/script%3E`,
  `\u0000<script>${run}</script>`,
  `<scr\u0000ipt>${run}</scr\u0000ipt>`,
  `\uff1cscript\uff1e${run}\uff1c/script\uff1e`,
  `__proto__`,
  `constructor`,
  `../../../../etc/passwd`,
  `//evil.example/%2e%2e`,
  `?key=<script>${run}</script>#<script>${run}</script>`,
];

function attackDocuments() {
  return attacks.flatMap((attack, place) => {
    const filler = words(`attack${place}n`, 120);
    const body = [attack, ...filler, attack, attack];
    return [
      { id: attack, text: text(body) },
      { id: `${attack} 2`, text: text([...edited(body, [60], attack)]) },
    ];
  });
}

function pairDocuments(count) {
  return Array.from({ length: count }, (_, place) => {
    const list = words(`pair${place}n`, 60);
    return [
      { id: `pair/${place}/a`, text: text(list) },
      { id: `pair/${place}/b`, text: text(list) },
    ];
  }).flat();
}

const news = words('news');
const chain = words('chain');
const line = words('long', 80_000); // one line of more than 1 MB
const rtl = words('rtl', 60);

export const documents = [
  { id: 'news/1', text: text(news) },
  { id: 'news/2', text: text(edited(news, [100])) }, // jaccard with news/1: 191 / 201
  { id: 'news/3', text: text(edited(news, [50, 150])) }, // 186 / 206
  { id: 'news/4', text: text(news) },
  { id: 'chain/a', text: text(chain) },
  { id: 'chain/b', text: text(edited(chain, [20, 40, 60])) }, // 181 / 211 with a
  { id: 'chain/c', text: text(edited(chain, [20, 40, 60, 80, 100, 120])) }, // 166 / 226 with a: only b links it
  { id: 'alone', text: text(words('alone', 40)) },
  { id: 'rtl/\u202egpj.exe', text: text(['\u202eevil', ...rtl, '\u05e9\u05dc\u05d5\u05dd']) },
  { id: '\u05e9\u05dc\u05d5\u05dd/\u05e2\u05d5\u05dc\u05dd', text: text(['evil', ...rtl, '\u05e9\u05dc\u05d5\u05dd']) },
  { id: 'long/1', text: text(line) },
  { id: 'long/2', text: text(edited(line, [40_000])) },
  ...pairDocuments(60),
  ...attackDocuments(),
];
