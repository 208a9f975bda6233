// Answers what stands in each PDF it is sent, page by page, and which texts extend into the right margin. In a process of its own, because
// the reader is a module that jest cannot load.
import { extractText, getDocumentProxy } from 'unpdf';

/** 17 mm; the layout has margins of 18 mm. */
const MARGIN_PT = 48;

async function textInMargin(document) {
  const pages = await Promise.all(Array.from({ length: document.numPages }, (_, at) => document.getPage(at + 1)));
  const contents = await Promise.all(pages.map((page) => page.getTextContent()));
  return contents.flatMap(({ items }, at) =>
    items.filter(({ transform, width }) => transform[4] + width > pages[at].view[2] - MARGIN_PT).map(({ str }) => str),
  );
}

async function answer(pdf) {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  process.send({ pages: (await extractText(document)).text, inMargin: await textInMargin(document) });
}

process.on('message', (pdf) => void answer(pdf));
process.on('disconnect', () => process.exit(0));
