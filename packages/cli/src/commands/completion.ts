import { type Command, command, globalOptions } from '../framework/command.ts';
import { groupsOf, nextWords } from '../framework/parse.ts';

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

/** What can follow the words of a group, each with what it does or leads to. */
function itemsAfter(group: string, commands: readonly Command[]): Item[] {
  return nextWords(group, commands).map((word) => {
    const name = group === '' ? word : `${group} ${word}`;
    const one = commands.find((command) => command.name === name);
    return { word, summary: one?.summary ?? nextWords(name, commands).join(', ') };
  });
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
  return [
    ...['', ...groupsOf(commands)].map((after) => ({ after, items: itemsAfter(after, commands), isCommand: false })),
    ...commands.map((one) => ({
      after: one.name,
      items: one.name === 'help' ? itemsAfter('', commands) : itemsOf(one),
      isCommand: true,
    })),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const bash = (commands: readonly Command[]): string => `# Put this into ~/.bashrc: source <(mooring completion bash)
_mooring() {
  local IFS=$' \\n' words='' n
  for ((n = COMP_CWORD - 1; n >= 0; n--)); do
    case "\${COMP_WORDS[*]:1:n}" in
${branches(commands)
  .map(({ after, items, isCommand }) => {
    const offer = `words=${quote(items.map(({ word }) => word).join(' '))}`;
    return `      ${quote(after)}) ${isCommand ? '' : '((n == COMP_CWORD - 1)) && '}${offer}; break ;;`;
  })
  .join('\n')}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mooring mooring`;

const zshItem = ({ word, summary }: Item): string =>
  quote(`${word.replaceAll(':', '\\:')}${summary ? `:${summary}` : ''}`);

const zsh = (commands: readonly Command[]): string => `#compdef mooring
# Put this into ~/.zshrc, after compinit: source <(mooring completion zsh)
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

function fishItem({ word, summary }: Item): string {
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quote(word)}`;
  return summary ? `${what} -d ${quote(summary)}` : what;
}

const fish = (commands: readonly Command[]): string => `# Put this into ~/.config/fish/completions/mooring.fish
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
    summary: 'Prints a completion script for bash, zsh or fish',
    arguments: { shell: { summary: 'The shell', choices: ['bash', 'zsh', 'fish'] } },
    run: ({ args, out, commands }) => out.text(shells[args.shell](commands)),
  }),
];
