import type { AssetName, Assets } from './assets';
import { toPlainText, type Guide } from './guides';
import { renderMarkdown, renderLine } from './markdown';

/** Common data of the pages of one listener. */
interface SiteFrame {
  /** The title of the pages: `Trade API`. */
  name: string;
  assets: Assets;
}

interface Site extends SiteFrame {
  guides: readonly Guide[];
  /** Other served files: names below `/docs/guides/`. */
  files: readonly string[];
}

interface Page {
  title: string;
  /** The relative path to the root of the listener, so a proxy may add any path prefix. */
  rootPath: string;
  styles: readonly AssetName[];
  main: string;
  scripts: readonly AssetName[];
}

/** The reference: Swagger UI with the document of the listener. */
export function referencePage(site: SiteFrame, endpoints: string): string {
  return page(site, {
    title: `${site.name}: reference`,
    rootPath: '',
    styles: ['swagger-ui.css', 'frame.css', 'reference.css'],
    main: `<main id="reference" data-document="openapi.json" data-endpoints="${endpoints}">
<noscript><p>The reference needs JavaScript. Its source is <a href="openapi.json">openapi.json</a>; the <a href="docs/guides">guides</a> need none.</p></noscript>
</main>`,
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
  });
}

const GUIDE_FILES = { styles: ['frame.css', 'guides.css'], scripts: ['minisearch.js', 'guides.js'] } as const;

/** Shown by the script. */
const searchForm = (rootPath: string): string => `<form class="search" role="search" data-guides="${rootPath}docs/guides/" hidden>
<label>Search the guides <input type="search" autocomplete="off"></label>
<p class="found" role="status"></p>
<ol></ol>
</form>
`;

/** The table of contents. */
export function contentsPage(site: Site): string {
  const entries = site.guides.map(({ path, title, summary }) => {
    return `<li><a href="guides/${path}">${renderLine(title)}</a><p>${renderLine(summary)}</p></li>`;
  });
  const main = `<main><h1>Guides</h1>\n<ul class="contents">\n${entries.join('\n')}\n</ul></main>`;
  return page(site, { ...GUIDE_FILES, title: `${site.name}: guides`, rootPath: '../', main: searchForm('../') + main });
}

/** Shown on narrow screens, where the list of guides is below the guide. */
const ALL_GUIDES_LINK = '<p class="to-others"><a href="#all-guides">All guides</a></p>';

/** A guide with the list of guides beside it, or below it on narrow screens. */
export function guidePage(site: Site, guide: Guide): string {
  const rootPath = '../'.repeat(2 + guide.path.split('/').length - 1);
  const html = renderMarkdown(guide.markdown, { file: guide.file, rootPath, addressOf: (file) => addressOf(site, file) });
  return page(site, {
    ...GUIDE_FILES,
    title: `${toPlainText(guide.title)} · ${site.name}`,
    rootPath,
    main: `${searchForm(rootPath)}<div class="with-others">\n${guideNavigation(site, guide, rootPath)}\n<main>\n${ALL_GUIDES_LINK}\n${html}</main>\n</div>`,
  });
}

function addressOf({ guides, files }: Site, file: string): string | null {
  if (file === 'README.md') return 'docs/guides';
  if (files.includes(file)) return `docs/guides/${file}`;
  const found = guides.find((guide) => guide.file === file);
  return found === undefined ? null : `docs/guides/${found.path}`;
}

function guideNavigation({ guides }: Site, current: Guide, rootPath: string): string {
  const links = guides.map(({ path, title }) => {
    const currentAttribute = path === current.path ? ' aria-current="page"' : '';
    return `<li><a href="${rootPath}docs/guides/${path}"${currentAttribute}>${renderLine(title)}</a></li>`;
  });
  return `<nav id="all-guides" aria-label="Guides"><ul>\n${links.join('\n')}\n</ul></nav>`;
}

function page(site: SiteFrame, { title, rootPath, styles, scripts, main }: Page): string {
  const scriptTags = scripts.map((name) => `<script src="${rootPath}${site.assets.urlOf(name)}"></script>`);
  const styleTags = styles.map((name) => `<link rel="stylesheet" href="${rootPath}${site.assets.urlOf(name)}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${rootPath}${site.assets.urlOf('icon.svg')}" type="image/svg+xml">
${styleTags.join('\n')}
</head>
<body>
<header class="site"><strong>${site.name}</strong> <a href="${rootPath}docs">Reference</a> <a href="${rootPath}docs/guides">Guides</a> <a href="${rootPath}openapi.json">openapi.json</a> <a href="${rootPath}postman.json">Postman collection</a></header>
${main}
${scriptTags.join('\n')}
</body>
</html>
`;
}
