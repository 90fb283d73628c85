import { Anchor, Blockquote, Code, List, Stack, Text, Title } from '@mantine/core';
import { type Block, type Inline, readMarkdown } from '@mooring/contract';
import { Fragment, type ReactNode } from 'react';

/** Renders parsed Markdown as elements, so that it can't inject HTML. */
export const Markdown = ({ text }: { text: string }) => (
  <Stack gap="xs" maw={720}>
    {readMarkdown(text).map((block, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a changed text renders again as a whole.
      <Fragment key={at}>{drawBlock(block)}</Fragment>
    ))}
  </Stack>
);

function drawBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <Title order={3} size={block.level === 1 ? 'h5' : 'h6'}>
          {drawInlines(block.inlines)}
        </Title>
      );
    case 'list':
      return (
        <List size="sm" type={block.isOrdered ? 'ordered' : 'unordered'} withPadding>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <List.Item key={at}>{drawInlines(item)}</List.Item>
          ))}
        </List>
      );
    case 'code':
      return <Code block>{block.text}</Code>;
    case 'rule':
      return <hr style={{ width: '100%', border: 0, borderTop: '1px solid var(--mantine-color-default-border)' }} />;
    case 'quote':
      return (
        <Blockquote p="xs" color="gray">
          {drawLines(block.lines)}
        </Blockquote>
      );
    default:
      return <Text size="sm">{drawLines(block.lines)}</Text>;
  }
}

const drawLines = (lines: Inline[][]): ReactNode =>
  lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    <Fragment key={at}>
      {at > 0 && <br />}
      {drawInlines(line)}
    </Fragment>
  ));

const drawInlines = (inlines: Inline[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
  inlines.map((inline, at) => <Fragment key={at}>{drawInline(inline)}</Fragment>);

function drawInline(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <Code>{inline.text}</Code>;
    case 'strong':
      return <strong>{drawInlines(inline.inlines)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(inline.inlines)}</em>;
    case 'link':
      return (
        <Anchor href={inline.url} target="_blank" rel="noopener noreferrer" underline="always" inherit>
          {drawInlines(inline.inlines)}
        </Anchor>
      );
  }
}
