/** The link that a mail is about: the last one, as names come before it and may look like one. */
export const linkIn = (text: string): string | undefined => text.match(/https?:\/\/\S+/g)?.at(-1);
