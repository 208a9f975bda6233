import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../platform/project-root';
import { Representation } from './representation';

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const MINISEARCH = join(dirname(require.resolve('minisearch')), '..', 'umd');
const OWN_ASSETS_FOLDER = join(projectRoot, 'src', 'http', 'docs', 'assets');
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The allowed files. Names are compared and never joined to a path, which prevents path traversal. */
const FILES = {
  'swagger-ui.css': [SWAGGER_UI, STYLE],
  'swagger-ui-bundle.js': [SWAGGER_UI, SCRIPT],
  'reference.js': [OWN_ASSETS_FOLDER, SCRIPT],
  'reference.css': [OWN_ASSETS_FOLDER, STYLE],
  'frame.css': [OWN_ASSETS_FOLDER, STYLE],
  'guides.css': [OWN_ASSETS_FOLDER, STYLE],
  'guides.js': [OWN_ASSETS_FOLDER, SCRIPT],
  'minisearch.js': [MINISEARCH, SCRIPT, 'index.js'],
  'icon.svg': [OWN_ASSETS_FOLDER, 'image/svg+xml'],
} as const;
export type AssetName = keyof typeof FILES;

/** The files of the pages. Each URL contains a hash, so clients may cache it forever. */
export class Assets {
  private readonly files = new Map<string, Representation>();

  constructor() {
    for (const [name, [folder, type, file = name]] of Object.entries(FILES)) {
      this.files.set(name, new Representation(type, readFileSync(join(folder, file))));
    }
  }

  /** The URL of a file, relative to the folder of `/docs`. */
  urlOf(name: AssetName): string {
    return `docs/assets/${this.files.get(name)?.hash}/${name}`;
  }

  /** The file at `/docs/assets/<path>`; undefined for other URLs than those of `urlOf`. */
  find(path: string): Representation | undefined {
    const [hash, name = '', ...more] = path.split('/');
    const file = this.files.get(name);
    return file?.hash === hash && more.length === 0 ? file : undefined;
  }
}
