import { toIso } from '../../kernel/clock.ts';
import { wordsOf } from './announcement-words.ts';
import type { Announcement } from './announcements.ts';
import type { WebhooksTable } from './webhooks.tables.ts';

export type Format = WebhooksTable['format'];

export interface FormInput {
  /** The same through every attempt, so that receivers can drop what they have. */
  messageId: string;
  announcement: Announcement;
  publicUrl: string;
}

interface Form {
  contentType: string;
  body: unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function cloudEvent({ messageId, announcement, publicUrl }: FormInput): Form {
  const { type, at, data, isTest } = announcement;
  return {
    contentType: 'application/cloudevents+json; charset=utf-8',
    body: {
      specversion: '1.0',
      id: messageId,
      type: `mooring.${type}`,
      source: publicUrl,
      subject: 'app_id' in data ? `${data.owner_name}/${data.app_name}` : data.org_name,
      time: toIso(at),
      ...(isTest ? { istest: true } : {}),
      datacontenttype: 'application/json',
      data,
    },
  };
}

const plain = ({ announcement: { data, isTest } }: FormInput): Form => ({
  contentType: JSON_TYPE,
  body: isTest ? { ...data, is_test: true } : data,
});

const HEADER = 150;
/** Slack reads these as the begin of a link or of a call to everybody. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Plain text wherever the words are somebody else's, so that none of them is a link or calls a channel. */
function slack({ announcement }: FormInput): Form {
  const { title, facts, url } = wordsOf(announcement);
  const field = ([label, value]: [string, string]) => ({
    type: 'section',
    text: { type: 'plain_text', text: `${label}\n${value}`, emoji: false },
  });
  return {
    contentType: JSON_TYPE,
    body: {
      text: escaped(title),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title.slice(0, HEADER).toWellFormed(), emoji: false } },
        ...facts.filter(([, value]) => value.trim() !== '').map(field),
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url }],
        },
      ],
    },
  };
}

/** An Adaptive Card, as workflows of Teams take it. A text of runs is not read as Markdown. */
function teams({ announcement }: FormInput): Form {
  const { title, facts, url } = wordsOf(announcement);
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  const block = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  return {
    contentType: JSON_TYPE,
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              block(run(title, { weight: 'Bolder', size: 'Medium' })),
              ...facts.map(([label, value]) => block(run(`${label}: `, { weight: 'Bolder' }), run(value))),
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open', url }],
          },
        },
      ],
    },
  };
}

const forms: Record<Format, (input: FormInput) => Form> = { cloudevents: cloudEvent, plain, slack, teams };

export function messageOf(format: Format, input: FormInput): { contentType: string; body: string } {
  const { contentType, body } = forms[format](input);
  return { contentType, body: JSON.stringify(body) };
}

/** Chats are known by where they are; everybody else can read what is said of CloudEvents. */
export function formatFor(url: string): Format {
  const { hostname } = new URL(url);
  if (hostname === 'hooks.slack.com') return 'slack';
  const isTeams = ['.webhook.office.com', '.logic.azure.com', '.api.powerplatform.com'].some((end) =>
    hostname.endsWith(end),
  );
  return isTeams ? 'teams' : 'cloudevents';
}
