// Answers what stands in each PDF it is sent, page by page. In a process of its own, because the reader is a module that jest cannot load.
import { extractText } from 'unpdf';

const answer = async (pdf) => process.send((await extractText(new Uint8Array(pdf))).text);

process.on('message', (pdf) => void answer(pdf));
process.on('disconnect', () => process.exit(0));
