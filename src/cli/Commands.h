// The subcommands. Each function adds one to the command line, with its options and help.
#ifndef NDFORGE_SRC_CLI_COMMANDS_H
#define NDFORGE_SRC_CLI_COMMANDS_H

namespace CLI {
class App;
}

namespace sd::cli {

/// `ndforge ops`: lists the operations.
void addOps(CLI::App& app);
/// `ndforge info`: describes one operation.
void addInfo(CLI::App& app);
/// `ndforge docs`: writes HTML pages about all operations.
void addDocs(CLI::App& app);
/// `ndforge run`: runs an operation on files.
void addRun(CLI::App& app);
/// `ndforge bench`: measures how long an operation takes.
void addBench(CLI::App& app);
/// `ndforge graph`: runs, shows and measures graphs in files.
void addGraph(CLI::App& app);
/// `ndforge help`, `ndforge man`.
void addHelp(CLI::App& app);
/// `ndforge completion`: scripts for shells.
void addCompletion(CLI::App& app);
/// `ndforge env`: shows version, instruction set, threads and BLAS.
void addEnv(CLI::App& app);
/// `ndforge version`: shows what this build is made of.
void addVersion(CLI::App& app);

}  // namespace sd::cli

#endif
