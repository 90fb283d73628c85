// Writes the lists of the contract's domains from its folders. `npm run generate` runs it before the other generators,
// which import these lists.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { writeGeneratedFiles } from './generated-files.ts';

const contract = path.join(import.meta.dirname, '../packages/contract/src');
const folders = readdirSync(contract)
  .filter((name) => existsSync(path.join(contract, name, 'examples.ts')))
  .sort();
const toCamelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const names = folders.map((folder) => `${toCamelCase(folder)}Examples`);
const note = '// `npm run generate` writes this file from the folders beside it.';

const areFresh = writeGeneratedFiles({
  'packages/contract/src/domains.ts': `${note}
${folders.map((folder) => `export * from './${folder}/index.ts';`).join('\n')}
`,
  'packages/contract/src/domain-examples.ts': `${note}
${folders.map((folder, at) => `import { examples as ${names[at]} } from './${folder}/examples.ts';`).join('\n')}

export const examples = {
${names.map((name) => `  ...${name},`).join('\n')}
};
`,
});
process.exit(areFresh ? 0 : 1);
