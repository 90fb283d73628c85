import { SECRET_MASK } from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';

type Json = unknown;
type Fields = { [name: string]: Json };

/** By path, such as `toolsets/android/keyPassword`. */
export type Secrets = Record<string, string>;

const isFields = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Matches unknown fields too. */
const isSecretName = (name: string): boolean => /(password|pwd|secret|token|encoded|p12file|provprofile)$/i.test(name);

const VARIABLES = 'environmentVariables';

/** Replaces each secret text by the result of `replace`; undefined removes the field. */
function replaceSecrets(value: Json, path: string, replace: (path: string, text: string) => string | undefined): Json {
  if (Array.isArray(value)) return value.map((item, at) => replaceSecrets(item, `${path}/${at}`, replace));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    const at = path === '' ? name : `${path}/${name}`;
    if (at === VARIABLES && Array.isArray(item)) return [[name, item.map((one) => replaceVariable(one, replace))]];
    if (typeof item !== 'string' || !isSecretName(name)) return [[name, replaceSecrets(item, at, replace)]];
    const text = replace(at, item);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

/** Variables are identified by name, because their order may change. */
function replaceVariable(variable: Json, replace: (path: string, text: string) => string | undefined): Json {
  if (!isFields(variable) || typeof variable.value !== 'string') return variable;
  return { ...variable, value: replace(`${VARIABLES}/${String(variable.name)}`, variable.value) ?? '' };
}

export interface SplitSettings {
  /** Settings with secrets masked. */
  settings: Fields;
  secrets: Secrets;
}

const listVariables = ({ [VARIABLES]: variables }: Fields): Fields[] =>
  Array.isArray(variables) ? variables.filter(isFields) : [];

/** Prevents developers from reading a secret by declaring it public. */
function refuseRevealed(settings: Fields, before: Fields): void {
  const wasPublic = new Set(
    listVariables(before).flatMap(({ name, isSecret }) => (isSecret === true ? [] : [String(name)])),
  );
  for (const { name, value, isSecret } of listVariables(settings)) {
    if (value !== SECRET_MASK || isSecret === true || wasPublic.has(String(name))) continue;
    throw badRequest(
      `Can't show the value of ${String(name)}: it is secret. Send a new value instead of ${SECRET_MASK}, or keep isSecret: true.`,
    );
  }
}

const NOTHING: SplitSettings = { settings: {}, secrets: {} };

/** Separates settings and secrets. A mask keeps the previous value, as long as it stays secret. */
export function splitSecrets(input: Fields, { settings: was, secrets: before } = NOTHING): SplitSettings {
  refuseRevealed(input, was);
  const secrets: Secrets = {};
  const settings = replaceSecrets(input, '', (path, text) => {
    const secret = text === SECRET_MASK ? before[path] : text;
    if (secret === undefined) return undefined;
    secrets[path] = secret;
    return SECRET_MASK;
  }) as Fields;
  return { settings, secrets };
}

/** Restores the secrets, for builds. */
export const joinSecrets = ({ settings, secrets }: SplitSettings): Fields =>
  replaceSecrets(settings, '', (path) => secrets[path]) as Fields;

/** Settings for users; the values of public variables only if the caller may see them. */
export function showSettings(
  { settings, secrets }: SplitSettings,
  { showsVariables }: { showsVariables: boolean },
): Fields {
  const variables = settings[VARIABLES];
  if (!showsVariables || !Array.isArray(variables)) return settings;
  const shown = variables.map((variable: Json) =>
    isFields(variable) && variable.isSecret !== true
      ? { ...variable, value: secrets[`${VARIABLES}/${String(variable.name)}`] ?? '' }
      : variable,
  );
  return { ...settings, [VARIABLES]: shown };
}

/** For a new owner: keeps public variables, removes secret ones, passwords, keys and certificates. */
export function withoutSecrets({ settings, secrets }: SplitSettings): SplitSettings {
  const variables = listVariables(settings).filter(({ isSecret }) => isSecret !== true);
  const publicValues = Object.fromEntries(
    variables.flatMap(({ name }) => {
      const path = `${VARIABLES}/${String(name)}`;
      const value = secrets[path];
      return value === undefined ? [] : [[path, value]];
    }),
  );
  const joined = joinSecrets({ settings, secrets: publicValues });
  return splitSecrets(
    VARIABLES in joined ? { ...joined, [VARIABLES]: fillVariables(variables, publicValues) } : joined,
  );
}

const fillVariables = (variables: readonly Fields[], publicValues: Secrets): Fields[] =>
  variables.map((variable) => ({ ...variable, value: publicValues[`${VARIABLES}/${String(variable.name)}`] ?? '' }));
