const domains = 'packages/server/src/domains';

/** Mutants that change nothing that anybody could notice, each with the reason. Named by the code, as lines move. */
export const equivalent: readonly { file: string; line: string; before: string; after: string; why: string }[] = [
  ...['audit/audit.ts', 'mail/mails.ts'].map((file) => ({
    file: `${domains}/${file}`,
    line: 'limit + 1',
    before: '1',
    after: '2',
    why: 'the row more says whether another page follows; two more say the same',
  })),
  ...['administration', 'audit', 'avatars', 'mail'].map((name) => ({
    file: `${domains}/${name}/index.ts`,
    line: 'name:',
    before: `'${name}'`,
    after: "''",
    why: 'the name of a domain is for people who read what went wrong',
  })),
];
