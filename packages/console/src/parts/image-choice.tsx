import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { AVATAR_MAX_PIXELS, avatarUpload } from '@mooring/contract';
import { Failure } from './failure.tsx';
import { Image } from './image.tsx';

interface ImageChoiceProps {
  /** What the image is called here. */
  what: string;
  src: string | undefined;
  name: string;
  setting: { isPending: boolean; error: unknown; mutate: (file: File | undefined) => void };
}

/** Shows an image as it is, and takes another one or none. */
export const ImageChoice = ({ what, src, name, setting }: ImageChoiceProps) => (
  <Paper withBorder p="lg" maw={720}>
    <Stack>
      <Group gap="lg" wrap="nowrap">
        <Image src={src} name={name} size={72} />
        <Stack gap="xs">
          <Group gap="sm">
            <FileButton accept={avatarUpload.types.join()} onChange={(file) => file && setting.mutate(file)}>
              {(props) => (
                <Button variant="default" loading={setting.isPending} {...props}>
                  {src ? `Replace the ${what}` : `Upload an ${what}`}
                </Button>
              )}
            </FileButton>
            {src && (
              <Button variant="subtle" disabled={setting.isPending} onClick={() => setting.mutate(undefined)}>
                Remove
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG, GIF or WebP; at most {avatarUpload.maxBytes / 2 ** 20} MiB and{' '}
            {AVATAR_MAX_PIXELS.toLocaleString()} pixels wide and high. Whoever knows its address can see it.
          </Text>
        </Stack>
      </Group>
      {setting.error != null && <Failure error={setting.error} title={`The ${what} stays as it is`} />}
    </Stack>
  </Paper>
);
