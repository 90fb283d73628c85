import { readConfig } from '../../packages/server/src/settings.ts';
import { playStory } from './story.ts';

// When the demo is stopped, the channel must not keep this process running.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

// Fills the data folder of the settings, and prints the accounts to sign in with.
process.stdout.write(JSON.stringify(await playStory(readConfig(process.env), Date.now())));
