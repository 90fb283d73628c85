const EXAMPLE = 'https://user:password@host:8443/database';

/** Throws the rest of the sentence "the list must be …". */
function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** Decodes a name in a URL; undefined if it is invalid. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const getDatabase = ({ pathname }: URL): string | undefined => decoded(pathname.slice(1));

/** Name of a server for people and for sharding: without user and password. */
export const getServerName = (url: URL): string => `${url.host}${url.pathname === '/' ? '' : url.pathname}`;

function readAddress(text: string): URL {
  const what = `URLs such as ${EXAMPLE}: replicas comma-separated, shards separated by spaces`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  must(url !== undefined && /^https?:$/.test(url.protocol), what);
  const found = url as URL;
  must(
    [found.username, found.password].every((part) => decoded(part) !== undefined),
    what,
  );
  must(/^[^/,;\s]*$/.test(getDatabase(found) ?? '/') && found.search === '' && found.hash === '', what);
  return found;
}

/**
 * URLs by shard. The separator between two URLs tells whether a replica or a shard follows; any other text belongs to
 * the URL.
 */
function listAddresses(text: string): string[][] {
  const shards: string[][] = [];
  let [address, follows] = ['', 'shard'];
  const end = () => (follows === 'shard' ? shards.push([address]) : shards.at(-1)?.push(address));
  for (const fragment of text.trim().split(/(?=https?:\/\/)/)) {
    const bare = address.trimEnd();
    const separator = bare.endsWith(',') ? 'replica' : bare === address ? undefined : 'shard';
    if (separator) {
      address = (separator === 'replica' ? bare.slice(0, -1) : bare).trimEnd();
      end();
      follows = separator;
    }
    address = separator ? fragment : address + fragment;
  }
  end();
  return shards;
}

/** Servers of each shard. A comma or a space within a URL, as in a password, is part of it. */
export function readShards(text: string): URL[][] {
  const shards = listAddresses(text).map((shard) => shard.map(readAddress));
  const names = shards.flat().map(getServerName);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  must(twice === undefined, `a list without duplicates; it has ${twice} twice`);
  for (const [first, ...others] of shards) {
    const other = others.find(({ pathname }) => pathname !== first?.pathname);
    must(
      other === undefined,
      `a list whose replicas have the same database, as in ${EXAMPLE},${EXAMPLE.replace('host', 'other')}`,
    );
  }
  return shards;
}
