import { type Command, command, globalOptions } from '../runner/command.ts';
import { wrongUsage } from '../runner/errors.ts';
import { groupOf, inGroup } from '../runner/parse.ts';

interface Item {
  word: string;
  summary: string;
}

interface Branch {
  /** The words before; none at the start. */
  after: string;
  items: Item[];
  /** More words of the same command may stand between. */
  isCommand: boolean;
}

function firstWords(commands: readonly Command[]): Item[] {
  const words = new Map<string, string>();
  for (const { name, summary } of commands) {
    const group = groupOf(name);
    if (group && !words.has(group)) {
      const verbs = inGroup(group, commands).map((member) => member.name.slice(group.length + 1));
      words.set(group, verbs.join(', '));
    }
    if (!group) words.set(name, summary);
  }
  return [...words].map(([word, summary]) => ({ word, summary }));
}

function itemsOf({ arguments: args, options }: Command): Item[] {
  const choices = Object.values(args).flatMap((spec) => spec.choices ?? []);
  return [
    ...choices.map((word) => ({ word, summary: '' })),
    ...Object.entries({ ...options, ...globalOptions }).map(([name, { summary }]) => ({ word: `--${name}`, summary })),
  ];
}

/** What can follow which words. */
function branches(commands: readonly Command[]): Branch[] {
  const first = firstWords(commands);
  const groups = [...new Set(commands.flatMap(({ name }) => groupOf(name) ?? []))];
  return [
    { after: '', items: first, isCommand: false },
    ...groups.map((group) => ({
      after: group,
      items: inGroup(group, commands).map(({ name, summary }) => ({ word: name.slice(group.length + 1), summary })),
      isCommand: false,
    })),
    ...commands.map((one) => ({
      after: one.name,
      items: one.name === 'help' ? first : itemsOf(one),
      isCommand: true,
    })),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const pattern = ({ after, isCommand }: Branch): string =>
  isCommand && !after.includes(' ') ? `${quote(after)}|${quote(`${after} `)}*` : quote(after);

const bash = (commands: readonly Command[]): string => `# Put this into ~/.bashrc: source <(mooring completion bash)
_mooring() {
  local before='' words=''
  if [ "$COMP_CWORD" -gt 1 ]; then before="\${COMP_WORDS[1]}"; fi
  if [ "$COMP_CWORD" -gt 2 ]; then before="$before \${COMP_WORDS[2]}"; fi
  case "$before" in
${branches(commands)
  .map((branch) => `    ${pattern(branch)}) words=${quote(branch.items.map(({ word }) => word).join(' '))} ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mooring mooring`;

const zshItem = ({ word, summary }: Item): string =>
  quote(`${word.replaceAll(':', '\\:')}${summary ? `:${summary}` : ''}`);

const zsh = (commands: readonly Command[]): string => `#compdef mooring
# Put this into ~/.zshrc, after compinit: source <(mooring completion zsh)
_mooring() {
  local before=''
  local -a items
  if (( CURRENT > 2 )); then before="$words[2]"; fi
  if (( CURRENT > 3 )); then before="$before $words[3]"; fi
  case "$before" in
${branches(commands)
  .map((branch) => `    ${pattern(branch)}) items=(${branch.items.map(zshItem).join(' ')}) ;;`)
  .join('\n')}
  esac
  _describe 'mooring' items
}
if [ "$funcstack[1]" = '_mooring' ]; then _mooring "$@"; else compdef _mooring mooring; fi`;

function fishCondition({ after, items, isCommand }: Branch): string {
  if (after === '') return '__fish_use_subcommand';
  const seen = after.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  if (!isCommand) seen.push(`not __fish_seen_subcommand_from ${items.map(({ word }) => word).join(' ')}`);
  return seen.join('; and ');
}

function fishItem({ word, summary }: Item): string {
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quote(word)}`;
  return summary ? `${what} -d ${quote(summary)}` : what;
}

const fish = (commands: readonly Command[]): string =>
  [
    '# Put this into ~/.config/fish/completions/mooring.fish',
    'complete -c mooring -f',
    ...branches(commands).flatMap((branch) =>
      branch.items.map((item) => `complete -c mooring -n ${quote(fishCondition(branch))} ${fishItem(item)}`),
    ),
  ].join('\n');

const shells = { bash, zsh, fish };

export const completionCommands = [
  command({
    name: 'completion',
    summary: 'Prints a completion script for bash, zsh or fish',
    arguments: { shell: { summary: 'bash, zsh or fish', choices: Object.keys(shells) } },
    run({ args, out, commands }) {
      if (!Object.hasOwn(shells, args.shell)) {
        throw wrongUsage(`There is no completion for "${args.shell}".`, `Choose ${Object.keys(shells).join(', ')}.`);
      }
      out.text(shells[args.shell as keyof typeof shells](commands));
    },
  }),
];
