import { FEEDBACK_MAX_LENGTH, feedbackPictures } from '@mooring/contract';
import { escapeHtml as text } from '../../../kernel/text/html.ts';
import { drawPage, pagePolicy } from './page-frame.ts';
import { type ShownPage, shownPage } from './shown-page.ts';

const policy = pagePolicy({ formAction: 'self' });
const MIB = 1024 * 1024;

export interface FeedbackForm {
  appName: string;
  /** Version and build. */
  version: string;
  /** The signed-in tester. */
  tester: { displayName: string; email: string } | undefined;
}

/** The form posts to the URL of the page. Phones offer their photos and the camera. */
export const showFeedbackForm = ({ appName, version, tester }: FeedbackForm): ShownPage =>
  shownPage(
    drawPage(
      `Feedback about ${appName}`,
      `<section class="card"><h1>Feedback about ${text(appName)}</h1>
<p class="dim">Version ${text(version)}</p>
<form method="post" enctype="multipart/form-data">
<label>What happened, and what did you expect?<textarea name="text" rows="7" maxlength="${FEEDBACK_MAX_LENGTH}" required></textarea></label>
<label>Pictures <span class="dim">(optional, up to ${feedbackPictures.maxFiles}, ${feedbackPictures.maxBytes / MIB} MB each)</span><input type="file" name="${feedbackPictures.field}" accept="${feedbackPictures.types.join(',')}" multiple></label>
<label>Your device <span class="dim">(optional)</span><input name="model" maxlength="100" autocomplete="off"></label>
<label>Your name <span class="dim">(optional)</span><input name="name" maxlength="200" autocomplete="name" value="${text(tester?.displayName ?? '')}"></label>
<label>Your email <span class="dim">(optional, for replies)</span><input type="email" name="email" maxlength="254" autocomplete="email" value="${text(tester?.email ?? '')}"></label>
<p class="dim">The developers of the app can read everything that you send here. The place where a picture was taken is removed.</p>
<button class="button" type="submit">Send feedback</button>
</form></section>`,
    ),
    { policy },
  );

export const showFeedbackSent = (appName: string): ShownPage =>
  shownPage(
    drawPage(
      `Feedback about ${appName}`,
      `<section class="card"><h1>Thank you</h1><p>Your feedback was sent to the developers of ${text(appName)}.</p></section>`,
    ),
    { policy },
  );
