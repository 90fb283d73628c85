import { type Command, command, globalOptions } from '../framework/command.ts';
import { listGroups, listSubcommands } from '../framework/parse.ts';

interface Item {
  value: string;
  summary: string;
}

interface Branch {
  /** The preceding words; empty at the start. */
  after: string;
  items: Item[];
  /** Other arguments of the command may precede the word. */
  isCommand: boolean;
}

/** Words that can follow a group, each with its summary or subcommands. */
function itemsAfter(group: string, commands: readonly Command[]): Item[] {
  return listSubcommands(group, commands).map((value) => {
    const name = group === '' ? value : `${group} ${value}`;
    const one = commands.find((command) => command.name === name);
    return { value, summary: one?.summary ?? listSubcommands(name, commands).join(', ') };
  });
}

function listItems({ arguments: args, options }: Command): Item[] {
  const choices = Object.values(args).flatMap((spec) => spec.choices ?? []);
  return [
    ...choices.map((value) => ({ value, summary: '' })),
    ...Object.entries({ ...options, ...globalOptions }).map(([name, { summary }]) => ({ value: `--${name}`, summary })),
  ];
}

/** All completions, by the words that precede them. */
function branches(commands: readonly Command[]): Branch[] {
  return [
    ...['', ...listGroups(commands)].map((after) => ({ after, items: itemsAfter(after, commands), isCommand: false })),
    ...commands.map((one) => ({
      after: one.name,
      items: one.name === 'help' ? itemsAfter('', commands) : listItems(one),
      isCommand: true,
    })),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const bash = (commands: readonly Command[]): string => `# Add this to ~/.bashrc: source <(mooring completion bash)
_mooring() {
  local IFS=$' \\n' words='' n
  for ((n = COMP_CWORD - 1; n >= 0; n--)); do
    case "\${COMP_WORDS[*]:1:n}" in
${branches(commands)
  .map(({ after, items, isCommand }) => {
    const offer = `words=${quote(items.map(({ value }) => value).join(' '))}`;
    return `      ${quote(after)}) ${isCommand ? '' : '((n == COMP_CWORD - 1)) && '}${offer}; break ;;`;
  })
  .join('\n')}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mooring mooring`;

const zshItem = ({ value, summary }: Item): string =>
  quote(`${value.replaceAll(':', '\\:')}${summary ? `:${summary}` : ''}`);

const zsh = (commands: readonly Command[]): string => `#compdef mooring
# Add this to ~/.zshrc, after compinit: source <(mooring completion zsh)
_mooring() {
  local n
  local -a items
  for ((n = CURRENT - 1; n >= 1; n--)); do
    case "\${(j: :)words[2,n]}" in
${branches(commands)
  .map(({ after, items, isCommand }) => {
    const offer = `items=(${items.map(zshItem).join(' ')})`;
    return `      ${quote(after)}) ${isCommand ? '' : '((n == CURRENT - 1)) && '}${offer}; break ;;`;
  })
  .join('\n')}
    esac
  done
  _describe 'mooring' items
}
if [ "$funcstack[1]" = '_mooring' ]; then _mooring "$@"; else compdef _mooring mooring; fi`;

function fishItem({ value, summary }: Item): string {
  const candidate = value.startsWith('--') ? `-l ${value.slice(2)}` : `-a ${quote(value)}`;
  return summary ? `${candidate} -d ${quote(summary)}` : candidate;
}

const fish = (commands: readonly Command[]): string => `# Save this as ~/.config/fish/completions/mooring.fish
function __mooring_at
    set -l typed (commandline -opc)
    test "$typed[2..]" = "$argv"
end
function __mooring_in
    set -l typed (commandline -opc)
    string match -q -- "$argv *" "$typed[2..] "
end
complete -c mooring -f
${branches(commands)
  .flatMap(({ after, items, isCommand }) => {
    const condition = quote(`__mooring_${isCommand ? 'in' : 'at'} ${after}`.trimEnd());
    return items.map((item) => `complete -c mooring -n ${condition} ${fishItem(item)}`);
  })
  .join('\n')}`;

const shells = { bash, zsh, fish };

export const completionCommands = [
  command({
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    arguments: { shell: { summary: 'Name of the shell', choices: ['bash', 'zsh', 'fish'] } },
    run: ({ args, out, commands }) => out.text(shells[args.shell](commands)),
  }),
];
