// Stands where the worker stands, lives, and never says anything.
setInterval(() => {}, 1000);
process.on('disconnect', () => process.exit());
