import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  appDirectory: 'app',
  // Others may build into a folder of their own while a server runs from this one.
  buildDirectory: process.env.BUILD_DIR ?? 'build',
} satisfies Config;
