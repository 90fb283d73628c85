/** Contributions of one domain to an extension point. */
export interface Extension {
  readonly point: string;
  readonly items: readonly unknown[];
}

/** Contributions of all domains, by the name of their extension point, in the order of `domains.ts`. */
export type Extensions = ReadonlyMap<string, readonly unknown[]>;

/** A list that several domains contribute to and one domain reads, without importing one another. */
export interface ExtensionPoint<T> {
  readonly name: string;
  /** For a domain that contributes. */
  add(...items: readonly T[]): Extension;
  /** For the domain that reads. */
  list(deps: { readonly extensions: Extensions }): readonly T[];
}

export const defineExtensionPoint = <T>(name: string): ExtensionPoint<T> => ({
  name,
  add: (...items) => ({ point: name, items }),
  list: ({ extensions }) => (extensions.get(name) ?? []) as readonly T[],
});

export function collectExtensions(added: readonly Extension[]): Extensions {
  const extensions = new Map<string, unknown[]>();
  for (const { point, items } of added) {
    const list = extensions.get(point) ?? [];
    list.push(...items);
    extensions.set(point, list);
  }
  return extensions;
}
