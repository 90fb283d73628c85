import type { Frame } from '../stacks/stack.ts';

/** Functions that are part of every crash and do not identify the problem. */
const helpers = new Set([
  '__pthread_kill',
  'pthread_kill',
  'abort',
  'raise',
  'tgkill',
  '_sigtramp',
  '__exceptionPreprocess',
  'objc_exception_throw',
  'objc_exception_rethrow',
  '_objc_terminate',
  'objc_msgSend',
  'objc_retain',
  'objc_release',
  '__cxa_throw',
  '__cxa_rethrow',
  'std::terminate()',
  'swift_unexpectedError',
  '_swift_runtime_on_report',
  '__assert_rtn',
  'abort_message',
]);

export const isHelper = ({ method, className }: Frame): boolean =>
  className === undefined && method !== undefined && helpers.has(method);

/** Removes numbers that the compiler adds, which change with unrelated lines. */
export function cleanName(name: string): string {
  return name
    .replace(/<([A-Za-z0-9_.]{1,200})>[a-z]__\d+(?:`\d+)?/g, '$1')
    .replace(/<([A-Za-z0-9_.]{1,200})>[bg]__[A-Za-z0-9_|]{1,200}/g, '$1')
    .replace(/<>c__DisplayClass\d+(?:_\d+)?|<>c/g, 'closure')
    .replace(/lambda\$([A-Za-z0-9_]{1,200})\$\d+/g, '$1')
    .replace(/\$\$(?:Lambda|ExternalSyntheticLambda|InternalSyntheticLambda)[$A-Za-z0-9_]{0,200}/g, '')
    .replace(/(?:-\$\$Lambda\$|\$r8\$lambda\$)[A-Za-z0-9_$-]{1,200}/g, 'lambda')
    .replace(/access\$\d+/g, 'access')
    .replace(/\$\d+(?=\.|\$|$)/g, '')
    .replace(/`\d+/g, '')
    .replace(/\b_?block_invoke(?:[._]\d+)*/g, 'block')
    .replace(/closure #\d+/g, 'closure')
    .replace(/\.(?:cold|isra|part|constprop|llvm)(?:\.\d+)*/g, '')
    .replace(/0x[0-9a-f]+/gi, '');
}

/** Removes template arguments: `Map<K, Vector<V>>::put` becomes `Map::put`. */
export function withoutTypeArguments(name: string): string {
  if (!name.includes('::') && !name.includes('[')) return name;
  let depth = 0;
  let cleaned = '';
  for (const character of name) {
    if (character === '<' || character === '[') depth += 1;
    else if ((character === '>' || character === ']') && depth > 0) depth -= 1;
    else if (depth === 0) cleaned += character;
  }
  return depth === 0 ? cleaned : name;
}

/** Names the async method instead of its state machine. */
export function cleanedCall({ className = '', method = '' }: Frame): string {
  const whole = withoutTypeArguments(cleanName(`${className}.${method}`));
  return whole.endsWith('.MoveNext') && whole.split('.').length > 2 ? whole.slice(0, -9) : whole;
}

const MAX_MESSAGE_LENGTH = 200;

/** Removes variable parts of a message: addresses, IDs, numbers and quoted text. */
export function cleanMessage(message: string): string {
  return message
    .slice(0, 2000)
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"]+/gi, '<url>')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^“”]*”|«[^«»]*»/g, '<text>')
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b0x[0-9a-f]+\b/gi, '<number>')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '<number>')
    .replace(/[-+]?\d+(?:[.,:]\d+)*/g, '<number>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH);
}
