import { drawPage, pagePolicy } from '../install/page-frame.ts';
import { type ShownPage, shownPage } from '../install/shown-page.ts';

const policy = pagePolicy({ formAction: 'self' });

/** The form goes to where the page is from. */
export const showUnsubscribing = (): ShownPage =>
  shownPage(
    drawPage(
      'Mails about releases',
      `<section class="card"><h1>No more mails about releases?</h1>
<p>You can still install what you were given. To get mails again, switch them on in your account.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button" type="submit">Unsubscribe</button></form></section>`,
    ),
    { policy },
  );

export const showUnsubscribed = (): ShownPage =>
  shownPage(
    drawPage(
      'Mails about releases',
      `<section class="card"><h1>You get no more mails about releases</h1>
<p>To get them again, switch them on in your account.</p></section>`,
    ),
    { policy },
  );
