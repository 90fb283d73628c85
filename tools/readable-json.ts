const WIDTH = 120;

/** JSON with readable diffs: a value that fits on a line is on one, a longer one has a line for each part. */
export function readableJson(value: unknown, indent = '', before = 0): string {
  const short = JSON.stringify(value)
    ?.replaceAll(/("(?:[^"\\]|\\.)*")|([:,])/g, (_, text, sign) => text ?? `${sign} `)
    .replaceAll(/("(?:[^"\\]|\\.)*")|([{}])/g, (_, text, sign) => text ?? (sign === '{' ? '{ ' : ' }'))
    .replaceAll('{  }', '{}');
  const isLeaf = typeof value !== 'object' || value === null;
  if (isLeaf || indent.length + before + short.length <= WIDTH) return short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + readableJson(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => {
          const name = `${JSON.stringify(key)}: `;
          return inner + name + readableJson(item, inner, name.length);
        });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
