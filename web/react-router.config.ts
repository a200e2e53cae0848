import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  appDirectory: 'app',
  // Other processes may build into their own folder while a server runs from this one.
  buildDirectory: process.env.BUILD_DIR ?? 'build',
} satisfies Config;
