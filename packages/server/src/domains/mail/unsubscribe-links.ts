import type { Deps } from '../../context.ts';
import { forbidden } from '../../kernel/errors.ts';
import { signText, verifyText } from '../../kernel/sealed.ts';

/** The links by which readers end mails of one kind. They work as long as a mail is kept: whoever finds one can do that, and nothing else. */
export const unsubscribeLinks = (purpose: string, path: string) => ({
  urlFor: (ctx: Deps, userId: string): string =>
    `${ctx.publicUrl()}${path}?token=${userId}.${signText(ctx.secretKey, purpose, userId)}`,
  /** Whose mails a link ends. */
  readerOf(ctx: Deps, token: string): string {
    const [userId = '', signature = ''] = token.split('.');
    if (!verifyText(ctx.secretKey, purpose, userId, signature)) {
      throw forbidden('This link is none of this server; switch the mails off in your account.');
    }
    return userId;
  },
});
