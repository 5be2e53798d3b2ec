// The subcommands. Each adds itself to the command line with its options and help.
#ifndef NDFORGE_SRC_CLI_COMMANDS_H
#define NDFORGE_SRC_CLI_COMMANDS_H

namespace CLI {
class App;
}

namespace sd::cli {

/// `ndforge ops`: what there is.
void addOps(CLI::App& app);
/// `ndforge info`: what there is to know about one operation.
void addInfo(CLI::App& app);
/// `ndforge docs`: pages of HTML about all of them.
void addDocs(CLI::App& app);
/// `ndforge run`: an operation on files.
void addRun(CLI::App& app);
/// `ndforge bench`: the time that an operation takes.
void addBench(CLI::App& app);
/// `ndforge env`: version, instruction set, threads, BLAS.
void addEnv(CLI::App& app);

}  // namespace sd::cli

#endif
