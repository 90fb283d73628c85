import { drawPage, pagePolicy } from '../install/page-frame.ts';
import { type ShownPage, shownPage } from '../install/shown-page.ts';

const policy = pagePolicy({ formAction: 'self' });

/** The form posts to the URL of the page. */
export const showUnsubscribing = (): ShownPage =>
  shownPage(
    drawPage(
      'Emails about releases',
      `<section class="card"><h1>Unsubscribe from emails about releases?</h1>
<p>You can still install releases that were distributed to you. To receive emails again, turn them on in your account.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button" type="submit">Unsubscribe</button></form></section>`,
    ),
    { policy },
  );

export const showUnsubscribed = (): ShownPage =>
  shownPage(
    drawPage(
      'Emails about releases',
      `<section class="card"><h1>You are unsubscribed from emails about releases</h1>
<p>To receive them again, turn them on in your account.</p></section>`,
    ),
    { policy },
  );
