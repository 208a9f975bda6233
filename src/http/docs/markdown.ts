import { posix } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import MarkdownIt from 'markdown-it';

/** The location of a page and the targets of its links. */
export interface PageLocation {
  /** The file below docs/guides/. */
  file: string;
  /** From the page to the root of its listener: `../../`. */
  rootPath: string;
  /** The path of a guide file from the root of the listener; null if the file is not served to these readers. */
  addressOf: (file: string) => string | null;
}

// HTML is shown as text; guides use only Markdown.
const markdown = new MarkdownIt({ html: false, highlight });
// Each language also registers its short name, which the guides use: sh, js, ts, html, py.
for (const [name, language] of Object.entries({ bash, javascript, json, python, typescript, xml })) hljs.registerLanguage(name, language);

// Wide tables and code scroll horizontally on narrow screens. `tabindex` makes them scroll with the keyboard too.
markdown.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';

/** The HTML of a guide, with links to the guides on this service. */
export function renderMarkdown(text: string, location: PageLocation): string {
  const tokens = markdown.parse(text, {});
  addHeadingIds(tokens);
  for (const { children } of tokens) rewriteLinks(children ?? [], location);
  return markdown.renderer.render(tokens, markdown.options, {}).replaceAll('<pre>', '<pre tabindex="0">');
}

/** Highlights code with classes, without a script; nothing for an unknown language. */
function highlight(code: string, language: string): string {
  return hljs.getLanguage(language) === undefined ? '' : hljs.highlight(code, { language }).value;
}

/** A part of a guide below one heading. */
interface Section {
  /** The anchor for links. */
  name: string;
  heading: string;
  /** The plain text, including code. */
  text: string;
}

/** The sections of a text, each from its heading to the next. */
export function sectionsOf(text: string): Section[] {
  const tokens = markdown.parse(text, {});
  addHeadingIds(tokens);
  const sections: Section[] = [];
  tokens.forEach((token, index) => {
    const tokenText = textOf(token);
    if (tokens[index - 1]?.type === 'heading_open')
      sections.push({ name: String(tokens[index - 1]?.attrGet('id')), heading: tokenText, text: '' });
    const section = sections.at(-1);
    if (section !== undefined && tokenText !== '') section.text += ` ${tokenText}`;
  });
  return sections;
}

/** The visible text of a token. */
function textOf({ type, content, children }: MarkdownIt.Token): string {
  if (type === 'fence' || type === 'code_block') return content;
  return (children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('');
}

/** A line of Markdown, without links. */
export function renderLine(text: string): string {
  const [inline] = markdown.parseInline(text, {});
  const visible = (inline?.children ?? []).filter(({ type }) => !type.startsWith('link_'));
  return markdown.renderer.render(visible, markdown.options, {});
}

export function firstHeading(text: string): string | undefined {
  return inlineAfter(markdown.parse(text, {}), 'heading_open');
}

export function firstParagraph(text: string): string {
  return inlineAfter(markdown.parse(text, {}), 'paragraph_open') ?? '';
}

/** The link targets of a text, in order. */
export function linksIn(text: string): string[] {
  const inline = markdown.parse(text, {}).flatMap(({ children }) => children ?? []);
  return inline.filter(({ type }) => type === 'link_open').map((link) => String(link.attrGet('href')));
}

function inlineAfter(tokens: MarkdownIt.Token[], type: string): string | undefined {
  const at = tokens.findIndex((token) => token.type === type);
  return at < 0 ? undefined : tokens[at + 1]?.content;
}

/** Headings get the anchors of GitHub, so links to sections work in both places. */
function addHeadingIds(tokens: MarkdownIt.Token[]): void {
  const used = new Map<string, number>();
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const name = (tokens[index + 1]?.content ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const uses = used.get(name) ?? 0;
    used.set(name, uses + 1);
    token.attrSet('id', uses === 0 ? name : `${name}-${uses}`);
  });
}

/** A link to a page that is not served here becomes plain text. */
function rewriteLinks(tokens: MarkdownIt.Token[], location: PageLocation): void {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const address = resolveHref(location, String(token.attrGet('href')));
      isDropped = address === null;
      if (address !== null) token.attrSet('href', address);
    }
    if (isDropped && token.type.startsWith('link_')) token.hidden = true;
  }
}

/** Pages outside the folder, such as the changelog, link to guides by the complete path. */
const GUIDES = '/docs/guides';

/** Keeps links to other sites and to sections; resolves `/docs` from the root of the listener, others as guides. */
function resolveHref(location: PageLocation, href: string): string | null {
  if (/^([a-z][a-z\d+.-]*:|#)/i.test(href)) return href;
  if (href.startsWith('/')) return location.rootPath + href.slice(1);
  const [path = '', part] = href.split('#');
  const address = location.addressOf(posix.relative(GUIDES, posix.join(GUIDES, posix.dirname(location.file), path)));
  if (address === null) return null;
  return location.rootPath + address + (part === undefined ? '' : `#${part}`);
}
