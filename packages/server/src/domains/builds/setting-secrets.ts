import { SECRET_MASK } from '@mooring/contract';
import { badRequest } from '../../kernel/errors.ts';

type Json = unknown;
type Fields = { [name: string]: Json };

/** By path, such as `toolsets/android/keyPassword`. */
export type Secrets = Record<string, string>;

const isFields = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Also of fields that nobody here has heard of. */
const isSecretName = (name: string): boolean => /(password|pwd|secret|token|encoded|p12file|provprofile)$/i.test(name);

const VARIABLES = 'environmentVariables';

/** Walks over the texts that are secret; what `replace` gives takes their place, and nothing leaves the field out. */
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

/** By their names: their order may change. */
function replaceVariable(variable: Json, replace: (path: string, text: string) => string | undefined): Json {
  if (!isFields(variable) || typeof variable.value !== 'string') return variable;
  return { ...variable, value: replace(`${VARIABLES}/${String(variable.name)}`, variable.value) ?? '' };
}

export interface SplitSettings {
  /** With a mask in the place of each secret. */
  settings: Fields;
  secrets: Secrets;
}

const listVariables = ({ [VARIABLES]: variables }: Fields): Fields[] =>
  Array.isArray(variables) ? variables.filter(isFields) : [];

/** Otherwise a developer could read a secret by declaring it public. */
function refuseRevealed(given: Fields, before: Fields): void {
  const wasPublic = new Set(
    listVariables(before).flatMap(({ name, isSecret }) => (isSecret === true ? [] : [String(name)])),
  );
  for (const { name, value, isSecret } of listVariables(given)) {
    if (value !== SECRET_MASK || isSecret === true || wasPublic.has(String(name))) continue;
    throw badRequest(
      `Can't show the value of ${String(name)}: it is secret, and ${SECRET_MASK} only stands for it while isSecret is true. Send the value itself, or keep isSecret: true.`,
    );
  }
}

const NOTHING: SplitSettings = { settings: {}, secrets: {} };

/** Takes the secrets out. A mask stands for the previous value, as long as that value stays hidden. */
export function splitSecrets(given: Fields, { settings: was, secrets: before } = NOTHING): SplitSettings {
  refuseRevealed(given, was);
  const secrets: Secrets = {};
  const settings = replaceSecrets(given, '', (path, text) => {
    const secret = text === SECRET_MASK ? before[path] : text;
    if (secret === undefined) return undefined;
    secrets[path] = secret;
    return SECRET_MASK;
  }) as Fields;
  return { settings, secrets };
}

/** Puts them in again, for whoever builds. */
export const joinSecrets = ({ settings, secrets }: SplitSettings): Fields =>
  replaceSecrets(settings, '', (path) => secrets[path]) as Fields;

/** What people see: of variables those that are no secret, if they may. */
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

/** For another owner: public variables stay, secret ones and every password, key and certificate are removed. */
export function withoutSecrets({ settings, secrets }: SplitSettings): SplitSettings {
  const variables = listVariables(settings).filter(({ isSecret }) => isSecret !== true);
  const kept = Object.fromEntries(
    variables.flatMap(({ name }) => {
      const path = `${VARIABLES}/${String(name)}`;
      const value = secrets[path];
      return value === undefined ? [] : [[path, value]];
    }),
  );
  const joined = joinSecrets({ settings, secrets: kept });
  return splitSecrets(VARIABLES in joined ? { ...joined, [VARIABLES]: keptVariables(variables, kept) } : joined);
}

const keptVariables = (variables: readonly Fields[], kept: Secrets): Fields[] =>
  variables.map((variable) => ({ ...variable, value: kept[`${VARIABLES}/${String(variable.name)}`] ?? '' }));
