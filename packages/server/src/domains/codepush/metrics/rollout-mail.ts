import type { AppCtx } from '../../../context.ts';
import { asWords, type NewMail } from '../../mail/index.ts';

interface HaltMail {
  email: string;
  app: AppCtx['app'];
  deployment: string;
  label: string;
  installed: number;
  failed: number;
  link: string;
}

export function haltMail({ email, app, deployment, label, installed, failed, link }: HaltMail): NewMail {
  const what = `${label} in ${asWords(deployment)} of ${app.ownerName}/${app.name}`;
  return {
    to: email,
    subject: `The rollout of ${what} was halted`,
    text: `The rollout of ${what} was halted.

${failed} devices went back from it, and ${installed} run it. It is disabled now: no other device gets it, and those that
have it go back to the release before. When it is mended, release it again. See CodePush of the app at

${link}

You get this mail because you manage this app on Mooring.
`,
  };
}
