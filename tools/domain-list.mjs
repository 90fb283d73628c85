import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const server = 'packages/server/src';

/**
 * The domains in the order of `domains.ts`, as far as its text tells: the import law is made from it, without running it.
 * Refuses when a folder is not in the list, so that no domain can be overlooked.
 */
export function readDomainList(root) {
  const file = path.join(root, server, 'domains.ts');
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^import \{ (\w+) \} from '\.\/domains\/([\w-]+)\/index\.ts';$/gm);
  const folderOf = new Map([...imports].map(([, name, folder]) => [name, folder]));
  const listed = (name) => {
    const [, items] = new RegExp(`const ${name}\\b[^=]*= \\[([^\\]]*)\\]`).exec(text) ?? [];
    if (items === undefined) throw new Error(`${file} has no list of ${name}.`);
    return items.split(',').flatMap((item) => folderOf.get(item.trim()) ?? []);
  };
  const list = { foundations: listed('foundations'), products: listed('products') };
  const known = new Set([...list.foundations, ...list.products]);
  const folders = readdirSync(path.join(root, server, 'domains'), { withFileTypes: true });
  for (const { name } of folders.filter((entry) => entry.isDirectory())) {
    if (!known.has(name)) throw new Error(`The domain ${name} is in no list of ${server}/domains.ts.`);
  }
  return list;
}
