import type { Deps } from '../../context.ts';
import { signText, verifyText } from '../../kernel/crypto/sealed.ts';
import { forbidden } from '../../kernel/errors.ts';

/** Unsubscribe links for one kind of email. They work as long as the email is stored, and permit nothing else. */
export const unsubscribeLinks = (purpose: string, path: string) => ({
  urlFor: (ctx: Deps, userId: string): string =>
    `${ctx.publicUrl()}${path}?token=${userId}.${signText(ctx.secretKey, purpose, userId)}`,
  /** Returns the ID of the user whose emails the link ends. */
  readUserId(ctx: Deps, token: string): string {
    const [userId = '', signature = ''] = token.split('.');
    if (!verifyText(ctx.secretKey, purpose, userId, signature)) {
      throw forbidden('Invalid unsubscribe link. Turn off emails in your account.');
    }
    return userId;
  },
});
