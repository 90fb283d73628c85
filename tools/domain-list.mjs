import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const server = 'packages/server/src';

/**
 * The domains in the order of `domains.ts`, parsed from its text so that the dependency rules need not run it. Throws
 * if a folder is not in the list, so that no domain is overlooked.
 */
export function readDomainList(root) {
  const file = path.join(root, server, 'domains.ts');
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^import \{ (\w+) \} from '\.\/domains\/([\w-]+)\/index\.ts';$/gm);
  const folderByName = new Map([...imports].map(([, name, folder]) => [name, folder]));
  const listed = (name) => {
    const [, items] = new RegExp(`const ${name}\\b[^=]*= \\[([^\\]]*)\\]`).exec(text) ?? [];
    if (items === undefined) throw new Error(`${file} has no list named ${name}.`);
    return items.split(',').flatMap((item) => folderByName.get(item.trim()) ?? []);
  };
  const list = { foundations: listed('foundations'), data: listed('data'), products: listed('products') };
  const known = new Set(Object.values(list).flat());
  const folders = readdirSync(path.join(root, server, 'domains'), { withFileTypes: true });
  for (const { name } of folders.filter((entry) => entry.isDirectory())) {
    if (!known.has(name)) throw new Error(`The domain ${name} is missing from the lists in ${server}/domains.ts.`);
  }
  return list;
}
